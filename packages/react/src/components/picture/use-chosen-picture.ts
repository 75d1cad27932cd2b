import { mostPictureBytes, pictureTypes } from '@tollgate/contract/picture'
import { type DragEvent, useEffect, useRef, useState } from 'react'

/** A picture that was chosen and can be shown. */
export type ChosenPicture = { readonly file: File; readonly bitmap: ImageBitmap }

export type PictureRefusal = 'PICTURE_UNREADABLE' | 'PICTURE_TOO_LARGE'

type Options = {
  /** Media types of the files. */
  types?: readonly string[]
  /** The most bytes of a file. */
  mostBytes?: number
  /** Whether several files can be chosen at once; otherwise the first one counts. */
  isMultiple?: boolean
  /** Called with each picture that can be shown, or with the reason why a file cannot. */
  onChoose: (picture: ChosenPicture) => unknown
  onRefuse: (refusal: PictureRefusal, file: File) => void
}

/**
 * The ways to choose a picture: `choose` for a file input, `zone` for an element to drop it on, and pasting it anywhere on
 * the page.
 */
export function useChosenPicture(options: Options) {
  const { types = pictureTypes, mostBytes = mostPictureBytes, isMultiple, onChoose, onRefuse } = options
  const [isOver, setOver] = useState(false)

  async function choose(files: Iterable<File> | null) {
    for (const file of [...(files ?? [])].slice(0, isMultiple ? undefined : 1)) await chooseOne(file)
  }

  async function chooseOne(file: File) {
    if (!types.includes(file.type)) return onRefuse('PICTURE_UNREADABLE', file)
    if (file.size > mostBytes) return onRefuse('PICTURE_TOO_LARGE', file)
    const bitmap = await createImageBitmap(file).catch(() => undefined)
    if (bitmap) await onChoose({ file, bitmap })
    else onRefuse('PICTURE_UNREADABLE', file)
  }

  const paste = useRef(choose)
  useEffect(() => {
    paste.current = choose
  })
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      if (files.length === 0) return
      event.preventDefault()
      void paste.current(files)
    }
    document.addEventListener('paste', take)
    return () => document.removeEventListener('paste', take)
  }, [])

  return {
    choose,
    zone: {
      'data-over': isOver || undefined,
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        void choose(event.dataTransfer.files)
      },
    },
  }
}
