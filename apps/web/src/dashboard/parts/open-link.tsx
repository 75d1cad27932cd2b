import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** What stands before or behind words that lead to another tab. */
export const outward = <IconExternalLink size={15} stroke={1.6} aria-hidden />

/** A link to a page that visitors see, in a tab of its own. */
export const OpenLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener" className="link with-icon">
    {children}
    {outward}
  </a>
)
