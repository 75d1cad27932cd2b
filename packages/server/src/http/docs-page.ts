/** The page at `/docs`. */
export const docsScript = ''
export const docsPage = (_description: Record<string, unknown>, _nonce: string): string =>
  '<!doctype html><title>API</title>'
