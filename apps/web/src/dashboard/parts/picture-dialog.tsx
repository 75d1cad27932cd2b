import { Button } from '@mantine/core'
import { type ChosenPicture, CropBoard, type CropWords, type Shape, useCrop } from '@tollgate/react'
import '@tollgate/react/picture.css'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import './picture.css'
import styles from './picture.module.css'
import { pictureWords as words } from './picture.texts.ts'

const { move, moveHint, zoom, shape, shapes } = words
const boardWords: CropWords = {
  move,
  moveHint,
  zoom,
  shape,
  shapes: { original: shapes.original, square: shapes.square, landscape: shapes.landscape },
}

type Props = {
  /** The picture to crop. Without one the dialog is closed. */
  picture: ChosenPicture | undefined
  /** The shapes to choose from. The first one is chosen. */
  shapes: readonly [Shape, ...Shape[]]
  /** Whether it is shown as a circle. */
  isRound?: boolean
  /** The most pixels of the longer side. */
  mostPixels: number
  onSave: (file: File) => void
  onClose: () => void
}

/** Crops a chosen picture. */
export function PictureDialog({ picture, onClose, ...rest }: Props) {
  return (
    <Dialog opened={picture !== undefined} onClose={onClose} title={words.crop}>
      {picture ? <Cropping picture={picture} onClose={onClose} {...rest} /> : null}
    </Dialog>
  )
}

function Cropping({
  picture,
  shapes,
  isRound = false,
  mostPixels,
  onSave,
  onClose,
}: Props & { picture: ChosenPicture }) {
  const cropping = useCrop(picture, shapes)
  return (
    <div className={styles.dialog}>
      <CropBoard cropping={cropping} words={boardWords} isRound={isRound} />
      <div className="actions end">
        <Button variant="default" onClick={onClose}>
          {texts.dialog.cancel}
        </Button>
        <Button onClick={async () => onSave(await cropping.take(mostPixels))}>{words.save}</Button>
      </div>
    </div>
  )
}
