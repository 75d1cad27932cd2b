import { IconArrowLeft } from '@tabler/icons-react'
import { createLink, useLocation } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'
import styles from './back-link.module.css'

/** A link to the list that a page belongs to. */
export const BackLink = createLink(({ children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a {...rest} className={styles.back}>
    <IconArrowLeft size={15} stroke={1.6} aria-hidden />
    {children}
  </a>
))

/** For a link back: the list with its previous filters. `searchIn` parses the list's address. */
export function useWayBack<Search>(searchIn: (given: Readonly<Record<string, unknown>>) => Search) {
  const { list = {}, trail = [] } = useLocation({ select: ({ state }) => state })
  return { search: searchIn(list), state: { trail } }
}
