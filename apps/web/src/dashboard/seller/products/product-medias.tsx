import { ActionIcon, Button } from '@mantine/core'
import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSeller } from '../../context.ts'
import { FieldError } from '../../parts/field-errors.ts'
import { Panel } from '../../parts/panel.tsx'
import { uploadPicture } from '../../parts/upload.ts'
import type { Media, ProductDraft } from './product-draft.ts'
import type { PartProps } from './product-prices.tsx'
import { productWords } from './products.texts.ts'

const words = productWords.medias
/** What the server takes (contract, Files). */
const largest = 10_000_000
const kinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The pictures of a product: uploaded as soon as they are chosen, and the product's once it is saved. */
export function MediasPanel({ draft, change, errorOf, mayWrite }: PartProps & { mayWrite: boolean }) {
  const { billing } = useSeller()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { medias } = draft

  const upload = useMutation({
    mutationFn: async (files: readonly File[]): Promise<readonly Media[]> => {
      const added: Media[] = []
      for (const file of files) {
        if (!kinds.includes(file.type)) throw new FieldError('medias', words.wrongKind(file.name))
        if (file.size > largest) throw new FieldError('medias', words.tooLarge(file.name))
        const { id, name, publicUrl = '' } = await uploadPicture(billing, file, 'product_media')
        added.push({ id, name, publicUrl })
      }
      return added
    },
    onSuccess: (added) => change({ medias: [...medias, ...added] } satisfies Partial<ProductDraft>),
  })
  const wrong = upload.error?.message ?? errorOf('medias')

  return (
    <Panel title={words.title}>
      <div className="panel-fields">
        <p className="quiet">{words.hint}</p>
        {medias.length > 0 ? (
          <ul className="pictures">
            {medias.map((media) => (
              <li key={media.id}>
                <img src={media.publicUrl} alt={media.name} width={96} height={96} />
                <ActionIcon
                  variant="default"
                  size={24}
                  aria-label={words.remove(media.name)}
                  onClick={() => {
                    change({ medias: medias.filter((each) => each !== media) })
                    button.current?.focus()
                  }}
                >
                  <IconX size={14} stroke={1.6} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        ) : null}
        <div role="alert" className="alert-place">
          {wrong ? <p className="wrong">{wrong}</p> : null}
        </div>
        {mayWrite ? (
          <div>
            <input
              ref={input}
              type="file"
              accept={kinds.join(',')}
              multiple
              hidden
              onChange={(event) => {
                const files = [...(event.currentTarget.files ?? [])]
                event.currentTarget.value = ''
                if (files.length > 0) upload.mutate(files)
              }}
            />
            <Button
              ref={button}
              variant="default"
              size="compact-md"
              leftSection={<IconPhotoPlus size={16} stroke={1.6} aria-hidden />}
              aria-disabled={upload.isPending || undefined}
              onClick={() => !upload.isPending && input.current?.click()}
            >
              {upload.isPending ? words.adding : words.add}
            </Button>
            <span role="status" className="visually-hidden">
              {upload.data ? words.added(upload.data.length) : ''}
            </span>
          </div>
        ) : null}
      </div>
    </Panel>
  )
}
