import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useRef } from 'react'
import { useSeller } from '../../context.ts'
import { uploadPicture } from '../../parts/upload.ts'
import { settingsWords } from './settings.texts.ts'

const words = settingsWords.picture
/** Bytes (billing contract, Files). */
const sizeLimit = 1024 * 1024
const kinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

type Props = { url: string | null; onChange: (url: string | null) => void; error: ReactNode }

/** The picture of the organization. It is uploaded when it is chosen, and used once the settings are saved. */
export function PictureField({ url, onChange, error }: Props) {
  const { billing, maySell, may } = useSeller()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (!kinds.includes(file.type)) throw new Error(words.wrongKind)
      if (file.size > sizeLimit) throw new Error(words.tooLarge)
      return uploadPicture(billing, file, 'organization_avatar')
    },
    onSuccess: ({ publicUrl }) => publicUrl && onChange(publicUrl),
  })
  const wrong = upload.error?.message ?? error
  const mayUpload = maySell && may('product', 'write')
  return (
    <div className="picture">
      {url ? <img src={url} alt="" width={56} height={56} /> : null}
      <div className="fields">
        {mayUpload ? (
          <label htmlFor={id} className="mantine-InputWrapper-label">
            {words.label}
          </label>
        ) : (
          <p className="mantine-InputWrapper-label">{words.label}</p>
        )}
        <p className="quiet" id={`${id}-hint`}>
          {mayUpload ? words.hint : words.notYet}
        </p>
        <div className="actions">
          {mayUpload ? (
            <input
              ref={input}
              id={id}
              type="file"
              accept={kinds.join()}
              aria-describedby={`${id}-hint ${id}-wrong`}
              aria-invalid={wrong ? true : undefined}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? []
                if (file) upload.mutate(file)
              }}
            />
          ) : null}
          {url ? (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => {
                onChange(null)
                if (input.current) input.current.value = ''
                input.current?.focus()
              }}
            >
              {words.remove}
            </Button>
          ) : null}
        </div>
        <p role="status" className="quiet">
          {upload.isPending ? words.uploading : ''}
        </p>
        <p role="alert" id={`${id}-wrong`} className="wrong">
          {wrong ?? ''}
        </p>
      </div>
    </div>
  )
}
