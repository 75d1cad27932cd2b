import { useHotkeys, useLocalStorage } from '@mantine/hooks'

/** Whether single keys do something; they can be switched off, since some people speak to their browser (WCAG 2.1.4). */
export function useShortcuts() {
  const [kept, keep] = useLocalStorage({
    key: 'tollgate_shortcuts',
    defaultValue: 'on',
    getInitialValueInEffect: false,
  })
  return { isOn: kept === 'on', turn: (on: boolean) => keep(on ? 'on' : 'off') }
}

/** Runs when a key is pressed anywhere but in a field. */
export function useShortcut(key: string, run: () => void) {
  const { isOn } = useShortcuts()
  useHotkeys(isOn ? [[key, run]] : [])
}
