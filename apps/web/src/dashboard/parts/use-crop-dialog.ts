import { useState } from 'react'
import type { PictureDialog } from './picture-dialog.tsx'

/** The dialog that crops. It is loaded with the first picture, so that editors without one stay small. */
export function useCropDialog() {
  const [CropDialog, setCropDialog] = useState<typeof PictureDialog>()
  return {
    CropDialog,
    /** Whether the dialog could be loaded. */
    load: async (): Promise<boolean> => {
      const loaded = await import('./picture-dialog.tsx').catch(() => undefined)
      if (loaded) setCropDialog(() => loaded.PictureDialog)
      return loaded !== undefined
    },
  }
}
