/** Which part of a picture is kept. Everything is measured in parts of the picture, so that no screen matters. */

export type Size = { readonly width: number; readonly height: number }

/** The center of the part, from 0 to 1, and how much larger than needed the picture is shown. */
export type Crop = { readonly x: number; readonly y: number; readonly zoom: number }

/** A part of a picture, in its pixels. */
export type Region = Size & { readonly left: number; readonly top: number }

/** The proportions of the part that is kept. */
export type Shape = 'square' | 'landscape' | 'original'

/** The largest part, in the middle. */
export const middle: Crop = { x: 0.5, y: 0.5, zoom: 1 }

export const mostZoom = 4

export const aspectOf = (shape: Shape, { width, height }: Size): number =>
  shape === 'square' ? 1 : shape === 'landscape' ? 4 / 3 : width / height

/** The part of a picture that has a width of `aspect` heights. */
export function regionOf(picture: Size, aspect: number, { x, y, zoom }: Crop): Region {
  const { width, height } = sizeAt(picture, aspect, zoom)
  return { left: x * picture.width - width / 2, top: y * picture.height - height / 2, width, height }
}

/** The crop after a move by parts of its own width and height. It stays inside the picture. */
export function moved(picture: Size, aspect: number, crop: Crop, across: number, down: number): Crop {
  const { width, height } = sizeAt(picture, aspect, crop.zoom)
  const x = crop.x + (across * width) / picture.width
  const y = crop.y + (down * height) / picture.height
  return inside(picture, aspect, { ...crop, x, y })
}

/** The crop at another zoom, around the same center as far as the picture allows. */
export const zoomed = (picture: Size, aspect: number, crop: Crop, zoom: number): Crop =>
  inside(picture, aspect, { ...crop, zoom: between(1, zoom, mostZoom) })

/** The crop in other proportions. */
export const inside = (picture: Size, aspect: number, crop: Crop): Crop => {
  const { width, height } = sizeAt(picture, aspect, crop.zoom)
  const across = width / picture.width / 2
  const down = height / picture.height / 2
  return { ...crop, x: between(across, crop.x, 1 - across), y: between(down, crop.y, 1 - down) }
}

function sizeAt(picture: Size, aspect: number, zoom: number): Size {
  const width = Math.min(picture.width, picture.height * aspect) / zoom
  return { width, height: width / aspect }
}

/** The size of a part in a file whose longer side has at most `most` pixels. A small part is not enlarged. */
export function fileSize({ width, height }: Size, most: number): Size {
  const scale = Math.min(1, most / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most)
