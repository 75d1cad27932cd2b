import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** The icon of a link that opens a new tab. */
export const outward = <IconExternalLink size={15} stroke={1.6} aria-hidden />

/** A link to a public page, in a new tab. */
export const OpenLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener" className="link with-icon">
    {children}
    {outward}
  </a>
)
