import type { Pixels } from './developing.ts'

/** The light of each color value (IEC 61966-2-1), and the color value of a light in 4096 steps. */
const lights = Float32Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})
const steps = 4095
const values = Uint8ClampedArray.from({ length: steps + 1 }, (_, step) => {
  const light = step / steps
  return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)
})

/**
 * Makes one pixel of each square, as long as the longest side keeps at least `side` pixels. It needs no memory beside the
 * given pixels, which it overwrites: the exact resizing afterwards needs 20 bytes for each pixel that it gets.
 */
export function shrunk(pixels: Pixels, side: number): Pixels {
  const factor = Math.floor(Math.max(pixels.width, pixels.height) / side)
  if (factor < 2) return pixels
  const { data, colorSpace } = pixels
  const width = Math.ceil(pixels.width / factor)
  const height = Math.ceil(pixels.height / factor)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) average(pixels, x * factor, y * factor, factor, (y * width + x) * 4)
  return { data: data.slice(0, width * height * 4), width, height, colorSpace }
}

/** Writes the average of a square, whose place is never before `to`. A transparent pixel's color does not count. */
function average({ data, width, height }: Pixels, left: number, top: number, factor: number, to: number): void {
  const right = Math.min(width, left + factor)
  const bottom = Math.min(height, top + factor)
  let red = 0
  let green = 0
  let blue = 0
  let opacity = 0
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
      const alpha = data[at + 3] ?? 0
      red += alpha * (lights[data[at] ?? 0] ?? 0)
      green += alpha * (lights[data[at + 1] ?? 0] ?? 0)
      blue += alpha * (lights[data[at + 2] ?? 0] ?? 0)
      opacity += alpha
    }
  const scale = opacity === 0 ? 0 : steps / opacity
  data[to] = values[Math.round(red * scale)] ?? 0
  data[to + 1] = values[Math.round(green * scale)] ?? 0
  data[to + 2] = values[Math.round(blue * scale)] ?? 0
  data[to + 3] = Math.round(opacity / ((right - left) * (bottom - top)))
}
