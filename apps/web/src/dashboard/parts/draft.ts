import { useState } from 'react'

/** A form's unsaved values, and whether they differ from the saved ones. */
export function useDraft<Draft extends object>(begin: () => Draft) {
  const [start, setStart] = useState(begin)
  const [draft, setDraft] = useState(start)
  return {
    draft,
    isChanged: JSON.stringify(draft) !== JSON.stringify(start),
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    /** The saved values from the server. */
    settle: (saved: Draft) => {
      setStart(saved)
      setDraft(saved)
    },
  }
}
