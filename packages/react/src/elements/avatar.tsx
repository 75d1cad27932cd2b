import { useState } from 'react'

/** A person's picture, or the first letters of the name. Decoration: the name stands beside it or in a label. */
export function Avatar({ name, image, large }: { name: string; image?: string | null; large?: boolean }) {
  const [broken, setBroken] = useState<string>()
  return (
    <span data-tg="avatar" data-large={large || undefined} aria-hidden="true">
      {image && broken !== image ? (
        <img src={image} alt="" referrerPolicy="no-referrer" onError={() => setBroken(image)} />
      ) : (
        initials(name)
      )}
    </span>
  )
}

/** "Ada Lovelace" → "AL", "ada" → "A"; by characters as people see them, so that no emoji is cut in two. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words
  return ends.map((word) => [...word][0]!.toUpperCase()).join('')
}
