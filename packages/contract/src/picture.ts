/**
 * Entry `picture`: the rules of uploaded pictures, which forms check before they send. Nothing here may import zod.
 */

/** Media types that an upload may have. Scripts can run in SVG, so it is not among them. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** The most bytes of an upload. */
export const mostPictureBytes = 5 * 1024 * 1024

/** The most pixels of an upload: 4096 × 4096. Decoding needs four bytes for each. */
export const mostPicturePixels = 4096 * 4096

/** The longest side of a stored picture, in pixels. A larger upload is made smaller, and keeps its proportions. */
export const storedPictureSide = 512
