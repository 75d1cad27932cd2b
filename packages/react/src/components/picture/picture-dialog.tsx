import { storedPictureSide } from '@tollgate/contract/picture'
import { useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/overlay.tsx'
import { useMessages } from '../../provider.tsx'
import { CropBoard, useCrop } from './crop-board.tsx'
import type { ChosenPicture } from './use-chosen-picture.ts'

export type PictureDialogProps = {
  picture: ChosenPicture
  onSave: (file: File) => void
  onClose: () => void
}

/** Crops a chosen picture to a square. Only a chosen picture loads this file. */
export function PictureDialog({ picture, onSave, onClose }: PictureDialogProps) {
  const texts = useMessages('picture')
  const cropping = useCrop(picture, ['square'])
  const [isBusy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    onSave(await cropping.take(storedPictureSide))
  }

  return (
    <Dialog open onClose={onClose} title={texts.crop}>
      <CropBoard cropping={cropping} words={{ move: texts.move, moveHint: texts.moveHint, zoom: texts.zoom }} isRound />
      <div data-tg="actions">
        <Button look="primary" busy={isBusy} busyLabel={texts.save} onClick={save}>
          {texts.save}
        </Button>
        <Button onClick={onClose}>{texts.cancel}</Button>
      </div>
    </Dialog>
  )
}
