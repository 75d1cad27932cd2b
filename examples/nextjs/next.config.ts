import path from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // Tollgate finds its pages beside its own files, and brings native code: it stays outside the bundle.
  serverExternalPackages: ['tollgate'],
  // This folder, and not one above it that has a lock file too.
  turbopack: { root: path.resolve('.') },
  outputFileTracingRoot: path.resolve('.'),
}

export default config
