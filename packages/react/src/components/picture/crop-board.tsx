import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { aspectOf, type Crop, fileSize, inside, middle, mostZoom, moved, regionOf, type Shape, zoomed } from './crop.ts'
import type { ChosenPicture } from './use-chosen-picture.ts'

export type CropWords = {
  /** The name of the part that moves the picture, and how to. */
  readonly move: string
  readonly moveHint: string
  readonly zoom: string
  readonly shape?: string
  readonly shapes?: Readonly<Record<Shape, string>>
}

/** How the part of a picture that is kept is chosen. */
export type Cropping = ReturnType<typeof useCrop>

/** Part of the board's width or height that an arrow key moves the picture by. */
const step = 0.05

export function useCrop({ file, bitmap }: ChosenPicture, shapes: readonly [Shape, ...Shape[]]) {
  const [shape, setShape] = useState(shapes[0])
  const [crop, setCrop] = useState(middle)
  const aspect = aspectOf(shape, bitmap)
  return {
    bitmap,
    shapes,
    shape,
    aspect,
    crop,
    zoom: (zoom: number) => setCrop((last) => zoomed(bitmap, aspect, last, zoom)),
    move: (across: number, down: number) => setCrop((last) => moved(bitmap, aspect, last, across, down)),
    reshape: (next: Shape) => {
      setShape(next)
      setCrop((last) => inside(bitmap, aspectOf(next, bitmap), last))
    },
    /** The part as a file, whose longer side has at most `most` pixels. */
    take: (most: number) => cropped(file, bitmap, aspect, crop, most),
  }
}

/** A picture that moves under a frame: by pointer, by wheel, and by keys. */
export function CropBoard({ cropping, words, isRound }: { cropping: Cropping; words: CropWords; isRound?: boolean }) {
  const { bitmap, aspect, crop, shapes, shape, zoom, move, reshape } = cropping
  const id = useId()
  const canvas = useRef<HTMLCanvasElement>(null)
  // Twice the size on screen, so that it is sharp on dense screens.
  const { width, height } = fitted(aspect, 560)

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const region = regionOf(bitmap, aspect, crop)
    context.imageSmoothingQuality = 'high'
    context.clearRect(0, 0, width, height)
    context.drawImage(bitmap, region.left, region.top, region.width, region.height, 0, 0, width, height)
  }, [bitmap, aspect, crop, width, height])

  function onKeyDown(event: KeyboardEvent) {
    const action = keys(cropping)[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const shown = canvas.current?.getBoundingClientRect()
    if (shown) move(-event.movementX / shown.width, -event.movementY / shown.height)
  }

  return (
    <div data-tg="crop">
      <div
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the picture, in two directions at once
        tabIndex={0}
        aria-label={words.move}
        aria-describedby={`${id}-hint`}
        data-tg="crop-board"
        data-autofocus
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
      >
        <span data-tg="crop-frame" data-round={isRound || undefined}>
          <canvas ref={canvas} width={width} height={height} />
        </span>
      </div>
      <p id={`${id}-hint`} data-tg="hint">
        {words.moveHint}
      </p>
      <label data-tg="crop-zoom">
        {words.zoom}
        <input
          type="range"
          min={1}
          max={mostZoom}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => zoom(event.currentTarget.valueAsNumber)}
        />
      </label>
      {shapes.length > 1 ? (
        <fieldset data-tg="crop-shapes">
          <legend>{words.shape}</legend>
          {shapes.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name={`${id}-shape`}
                value={each}
                checked={each === shape}
                onChange={() => reshape(each)}
              />
              {words.shapes?.[each]}
            </label>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}

/** The picture follows the arrow, so the part that is kept goes the other way. */
const keys = ({ move, zoom, crop }: Cropping): Readonly<Record<string, () => void>> => ({
  ArrowLeft: () => move(step, 0),
  ArrowRight: () => move(-step, 0),
  ArrowUp: () => move(0, step),
  ArrowDown: () => move(0, -step),
  '+': () => zoom(crop.zoom + 0.1),
  '-': () => zoom(crop.zoom - 0.1),
})

const fitted = (aspect: number, side: number) =>
  aspect > 1
    ? { width: side, height: Math.max(1, Math.round(side / aspect)) }
    : { width: Math.max(1, Math.round(side * aspect)), height: side }

/** A photo stays a JPEG; anything else becomes a PNG, which keeps transparent parts. */
async function cropped(file: File, bitmap: ImageBitmap, aspect: number, crop: Crop, most: number): Promise<File> {
  const region = regionOf(bitmap, aspect, crop)
  const canvas = document.createElement('canvas')
  const { width, height } = Object.assign(canvas, fileSize(region, most))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser cannot draw pictures')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, region.left, region.top, region.width, region.height, 0, 0, width, height)
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92))
  if (!blob) throw new Error('The browser cannot make a file of the picture')
  const name = file.name.replace(/\.\w+$/, '')
  return new File([blob], `${name}.${type === 'image/jpeg' ? 'jpg' : 'png'}`, { type })
}
