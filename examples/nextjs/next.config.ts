import path from 'node:path'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // Tollgate finds its pages beside its own files, and contains native code: it stays outside the bundle.
  serverExternalPackages: ['tollgate'],
  // This folder, not a parent folder with a lock file of its own.
  turbopack: { root: path.resolve('.') },
  outputFileTracingRoot: path.resolve('.'),
}

export default config
