import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { pictureTypes, storedPictureSide } from '@tollgate/contract/picture'
import { type ChosenPicture, type Shape, useChosenPicture } from '@tollgate/react'
import { useId, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import './picture.css'
import styles from './picture.module.css'
import { pictureWords as words } from './picture.texts.ts'
import { useCropDialog } from './use-crop-dialog.ts'

type Props = {
  /** What the picture is for. */
  text: string
  /** The address of the present picture. */
  url: string | null
  shapes: readonly [Shape, ...Shape[]]
  isRound?: boolean
  mayWrite: boolean
  /** Saves a picture, or removes the present one. Throws if it is refused. */
  save: (file: File | null) => Promise<unknown>
}

/** A picture that is dropped, pasted or chosen, then cropped, and saved at once. */
export function PictureField({ text, url, shapes, isRound = false, mayWrite, save }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [picture, setPicture] = useState<ChosenPicture>()
  const [refusal, setRefusal] = useState<string>()
  const saving = useMutation({
    mutationFn: save,
    onMutate: () => setRefusal(undefined),
    onSuccess: (_, file) => {
      notifications.show({ message: file ? words.saved : words.removed })
      button.current?.focus()
    },
    onError: (error) => setRefusal(error.message),
  })
  const { CropDialog, load } = useCropDialog()
  const { choose, zone } = useChosenPicture({
    onChoose: async (chosen) => {
      if (!(await load())) return setRefusal(texts.failure.noAnswer)
      setRefusal(undefined)
      setPicture(chosen)
    },
    onRefuse: (code) => setRefusal(code === 'PICTURE_TOO_LARGE' ? words.tooLarge : words.unreadable),
  })
  const { isPending } = saving
  return (
    <div className={styles.field} {...(mayWrite && zone)}>
      {url ? <img src={url} alt="" /> : null}
      <div>
        <p>{text}</p>
        {mayWrite ? (
          <>
            <p className="quiet" id={`${id}-hint`}>
              {words.hint}
            </p>
            <input
              ref={input}
              type="file"
              accept={pictureTypes.join()}
              hidden
              onChange={(event) => {
                void choose([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            <div className="actions">
              <Button
                ref={button}
                variant="default"
                size="compact-md"
                aria-describedby={`${id}-hint ${id}-wrong`}
                aria-disabled={isPending || undefined}
                onClick={() => !isPending && input.current?.click()}
              >
                {isPending ? words.uploading : url ? words.change : words.upload}
              </Button>
              {url ? (
                <Button variant="default" size="compact-md" onClick={() => !isPending && saving.mutate(null)}>
                  {words.remove}
                </Button>
              ) : null}
            </div>
          </>
        ) : null}
        <p role="alert" id={`${id}-wrong`} className="wrong">
          {refusal ?? ''}
        </p>
      </div>
      {CropDialog ? (
        <CropDialog
          picture={picture}
          shapes={shapes}
          isRound={isRound}
          mostPixels={storedPictureSide}
          onClose={() => setPicture(undefined)}
          onSave={(file) => {
            setPicture(undefined)
            saving.mutate(file)
          }}
        />
      ) : null}
    </div>
  )
}
