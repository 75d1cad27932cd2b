import { mostPictureBytes } from '../picture.ts'
import type { Check } from './form.ts'

/**
 * A file that can be sent. With a script the field has checked it when it was chosen. What the file shows, only the call
 * knows. It stands apart from the other checks, so that pages without pictures do not load it.
 */
export const sentPicture: Check = (_, __, { file, isScripted }) => {
  if (isScripted) return undefined
  if (file === undefined || file.size === 0) return 'PICTURE_REQUIRED'
  return file.size > mostPictureBytes ? 'PICTURE_TOO_LARGE' : undefined
}
