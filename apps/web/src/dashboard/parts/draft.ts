import { useState } from 'react'

/** What a form holds while somebody changes it, and whether that differs from what is saved. */
export function useDraft<Draft extends object>(begin: () => Draft) {
  const [start, setStart] = useState(begin)
  const [draft, setDraft] = useState(start)
  return {
    draft,
    isChanged: JSON.stringify(draft) !== JSON.stringify(start),
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    /** What is saved now, as the server has answered it. */
    settle: (saved: Draft) => {
      setStart(saved)
      setDraft(saved)
    },
  }
}
