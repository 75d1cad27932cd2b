/**
 * Headers of public pictures. A picture never changes under its address, and other sites may embed it. The sandbox keeps
 * its content from running.
 */
export const pictureHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const
