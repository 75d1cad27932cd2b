import type { DrawMark } from '@tollgate/react'

/**
 * The mark of each provider of a page, drawn by the server: the browser is spared the drawings of all the others. Only sent
 * along where they are not in the page yet.
 */
export type Marks = Readonly<Record<string, string>>

/** Draws a provider's mark from those that the page was given. */
export const markFrom =
  (marks: Marks | undefined): DrawMark =>
  (id) => (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by our own component, in the bundle for the server
    <span data-tg="mark" data-mark={id} aria-hidden="true" dangerouslySetInnerHTML={{ __html: marks?.[id] ?? '' }} />
  )

/** The marks that the server has put into the page: taken from there, so that they do not come a second time. */
export const drawnMarks = (): Marks =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLElement>('[data-mark]')].map((mark) => [mark.dataset.mark ?? '', mark.innerHTML]),
  )
