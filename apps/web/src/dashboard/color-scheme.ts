import type { MantineColorSchemeManager } from '@mantine/core'

/**
 * The scheme is kept where the hosted pages keep it: in a cookie that only the server reads and writes, so that the first
 * paint of every page is right. `home` is a page that the viewer may see.
 */
export function colorScheme(home: string, chosen: 'light' | 'dark' | undefined): MantineColorSchemeManager {
  return {
    get: (standard) => chosen ?? standard,
    set: (scheme) => {
      if (scheme === 'auto') document.documentElement.removeAttribute('data-scheme')
      else document.documentElement.dataset.scheme = scheme
      void fetch(`${home}?scheme=${scheme === 'auto' ? 'system' : scheme}`)
    },
    subscribe: () => {},
    unsubscribe: () => {},
    clear: () => {},
  }
}
