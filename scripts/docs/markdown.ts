/** A fenced block of a page. */
export type Block = {
  readonly file: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** Marked by `run` behind the language: it is a whole program, and prints the text block that follows. */
  readonly runs: boolean
  readonly printed: string | undefined
}

/** Every fenced block of a page, in order. */
export function blocksOf(file: string, page: string): Block[] {
  const found = [...page.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    file,
    line: page.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    runs: match[2] === 'run',
    text: (match[3] ?? '').trimEnd(),
  }))
  return found.map((block, index) => {
    const next = found[index + 1]
    return { ...block, printed: next?.language === 'text' ? next.text : undefined }
  })
}

const withoutBlocks = (page: string): string => page.replace(/^```[\s\S]*?^```$/gm, '')

/** Links to files of the repository; those to the world outside and to a running server are not ours to check. */
export function linksOf(page: string): string[] {
  const targets = [...withoutBlocks(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  return targets.filter((target) => !/^(https?:|mailto:)/.test(target))
}

/** The anchors of a page's headings, as platforms that show Markdown make them. */
export function headingsOf(page: string): string[] {
  return [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
