import { ActionIcon, Button } from '@mantine/core'
import { IconPhotoPlus, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ChosenPicture, useChosenPicture } from '@tollgate/react'
import { useEffect, useRef, useState } from 'react'
import { useSeller } from '../../context.ts'
import { Panel } from '../../parts/panel.tsx'
import { uploadPicture } from '../../parts/upload.ts'
import { useCropDialog } from '../../parts/use-crop-dialog.ts'
import { texts } from '../../texts.ts'
import type { Media, ProductDraft } from './product-draft.ts'
import styles from './product-medias.module.css'
import type { PartProps } from './product-prices.tsx'
import { productWords } from './products.texts.ts'

const words = productWords.medias
/** What the server takes (contract, Files). */
const mostBytes = 10_000_000
const gif = 'image/gif'
const types = ['image/png', 'image/jpeg', 'image/webp', gif]
/** Twice the width of a picture on the checkout page, for dense screens. */
const mostPixels = 1600

type Props = PartProps & { mayWrite: boolean }

/** A picture to crop, kept apart from others of the same name. */
type Waiting = { readonly id: number; readonly picture: ChosenPicture }

/** The pictures of a product: cropped and uploaded as soon as they are chosen, and the product's once it is saved. */
export function MediasPanel({ draft, change, errorOf, mayWrite }: Props) {
  const { billing } = useSeller()
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [waiting, setWaiting] = useState<readonly Waiting[]>([])
  const [refusal, setRefusal] = useState<string>()
  const { medias } = draft
  // Several uploads may be under way: each adds to what is there when it ends.
  const present = useRef(medias)
  useEffect(() => {
    present.current = medias
  }, [medias])

  const upload = useMutation({
    mutationFn: async (file: File): Promise<Media> => {
      const { id, name, publicUrl = '' } = await uploadPicture(billing, file, 'product_media')
      return { id, name, publicUrl }
    },
    onMutate: () => setRefusal(undefined),
    onSuccess: (added) => {
      present.current = [...present.current, added]
      change({ medias: present.current } satisfies Partial<ProductDraft>)
    },
  })
  const { CropDialog, load } = useCropDialog()
  const { choose, zone } = useChosenPicture({
    types,
    mostBytes,
    isMultiple: true,
    onChoose: async (picture) => {
      // Cropping would keep only the first picture of an animation.
      if (picture.file.type === gif) return upload.mutate(picture.file)
      if (!(await load())) return setRefusal(texts.failure.noAnswer)
      setRefusal(undefined)
      setWaiting((others) => [...others, { id: (others.at(-1)?.id ?? 0) + 1, picture }])
    },
    onRefuse: (code, { name }) =>
      setRefusal(code === 'PICTURE_TOO_LARGE' ? words.tooLarge(name) : words.wrongKind(name)),
  })
  const next = () => setWaiting(([_, ...others]) => others)
  const wrong = refusal ?? upload.error?.message ?? errorOf('medias')

  return (
    <Panel title={words.title}>
      <div className="panel-fields" {...(mayWrite && zone)}>
        <p className="quiet">{words.hint}</p>
        {medias.length > 0 ? (
          <ul className={styles.pictures}>
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
              accept={types.join()}
              multiple
              hidden
              onChange={(event) => {
                void choose([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
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
              {upload.data ? words.added(upload.data.name) : ''}
            </span>
          </div>
        ) : null}
      </div>
      {CropDialog ? (
        <CropDialog
          key={waiting[0]?.id}
          picture={waiting[0]?.picture}
          shapes={['original', 'landscape', 'square']}
          mostPixels={mostPixels}
          onClose={next}
          onSave={(file) => {
            next()
            upload.mutate(file)
          }}
        />
      ) : null}
    </Panel>
  )
}
