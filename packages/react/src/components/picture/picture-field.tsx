import { pictureTypes } from '@tollgate/contract/picture'
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { Avatar } from '../../elements/avatar.tsx'
import { useMessages } from '../../provider.tsx'
import type { PictureDialogProps } from './picture-dialog.tsx'
import { type ChosenPicture, useChosenPicture } from './use-chosen-picture.ts'

export type PictureFieldProps = {
  id: string
  /** The name in the form. */
  name: string
  label: ReactNode
  /** Whose picture it is: its first letters stand in place of a picture. */
  owner: string
  image: string | null
  isBusy?: boolean
  /** Why the file was refused. */
  error: string | undefined
  /** The text of a refusal that the field finds by itself. */
  refusalText: (code: string) => string
  /** Called when the cropped picture is the file of the input. */
  onPick: (input: HTMLInputElement, file: File) => void
  /** The submit button, which is seen without a script only. */
  submit?: ReactNode
  /** Where the picture can be added later, for a form that takes none without a script. */
  later?: string
  /** Puts the input and its buttons into their own form, if the field stands in none. */
  wrap?: (input: ReactNode) => ReactNode
  /** Stands beside the button that chooses a picture. */
  remove?: ReactNode
}

/**
 * A picture that is dropped, pasted or chosen, and then cropped. Without a script it is a file input, and the form uploads
 * the file as it is.
 */
export function PictureField({
  id,
  name,
  label,
  owner,
  image,
  isBusy = false,
  error,
  refusalText,
  onPick,
  submit,
  later,
  wrap = (input) => input,
  remove,
}: PictureFieldProps) {
  const texts = useMessages('picture')
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ChosenPicture>()
  const [Crop, setCrop] = useState<ComponentType<PictureDialogProps>>()
  const [refusal, setRefusal] = useState<string>()
  const wrong = refusal === undefined ? error : refusalText(refusal)

  async function open(chosen: ChosenPicture) {
    const loaded = await import('./picture-dialog.tsx').catch(() => undefined)
    if (!loaded) return refuse('OFFLINE')
    setRefusal(undefined)
    setCrop(() => loaded.PictureDialog)
    setPicture(chosen)
  }
  // The dialog leaves the page while it is open, so the browser cannot give the focus back. A refusal is read with its field.
  const wasOpen = useRef(false)
  useEffect(() => {
    if ((wasOpen.current && !picture) || refusal) input.current?.focus()
    wasOpen.current = picture !== undefined
  }, [picture, refusal])

  // The button that removed the picture is gone with it.
  const had = useRef(image)
  useEffect(() => {
    if (had.current && !image && document.activeElement === document.body) input.current?.focus()
    had.current = image
  }, [image])

  const { choose, zone } = useChosenPicture({ onChoose: open, onRefuse: refuse })

  function refuse(code: string) {
    setRefusal(code)
    forget()
  }

  function close() {
    setPicture(undefined)
    forget()
  }

  /** The same file can be chosen again. */
  function forget() {
    if (input.current) input.current.value = ''
  }

  function save(file: File) {
    setPicture(undefined)
    if (!input.current) return
    input.current.files = filesOf(file)
    onPick(input.current, file)
  }

  return (
    <div data-tg="picture" data-invalid={wrong ? true : undefined} {...zone}>
      <Avatar name={owner} image={image} large />
      <div data-tg="picture-text">
        <strong>{label}</strong>
        <p data-tg="hint" id={`${id}-hint`}>
          {texts.hint}
        </p>
        {later ? (
          <p data-tg="hint" data-scriptless>
            {later}
          </p>
        ) : null}
        <div data-tg="actions">
          {wrap(
            <>
              <label htmlFor={id} data-tg="button" data-look="secondary" aria-disabled={isBusy || undefined}>
                {isBusy ? texts.uploading : image ? texts.change : texts.upload}
              </label>
              <input
                ref={input}
                id={id}
                name={name}
                type="file"
                aria-label={image ? texts.change : texts.upload}
                accept={pictureTypes.join()}
                aria-invalid={wrong ? true : undefined}
                aria-describedby={wrong ? `${id}-hint ${id}-error` : `${id}-hint`}
                onChange={(event) => void choose(event.currentTarget.files)}
              />
              {submit}
            </>,
          )}
          {remove}
        </div>
        {wrong ? (
          <p id={`${id}-error`} data-tg="field-error">
            {wrong}
          </p>
        ) : null}
      </div>
      {picture && Crop ? <Crop picture={picture} onSave={save} onClose={close} /> : null}
    </div>
  )
}

/** The list of files that an input takes. */
function filesOf(file: File): FileList {
  const transfer = new DataTransfer()
  transfer.items.add(file)
  return transfer.files
}
