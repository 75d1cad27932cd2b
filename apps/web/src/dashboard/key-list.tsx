import type { Entry } from './navigation.tsx'
import { Dialog } from './parts/dialog.tsx'
import { useShortcuts } from './parts/shortcuts.ts'
import { texts } from './texts.ts'

const words = texts.commands

/** The list of keyboard shortcuts. */
export function KeyList({ entries, onClose }: { entries: readonly Entry[]; onClose: () => void }) {
  const { isOn } = useShortcuts()
  const keys = [
    { keys: [words.control, 'K'], between: '+', does: words.keyMenu },
    ...(isOn
      ? [
          { keys: ['/'], between: '', does: words.keySearch },
          { keys: ['j'], between: '', does: words.keyNext },
          { keys: ['k'], between: '', does: words.keyPrevious },
          { keys: [words.enter], between: '', does: words.keyOpen },
          { keys: ['x'], between: '', does: words.keySelect },
          { keys: ['?'], between: '', does: words.keyHelp },
          ...entries.map(({ key, label }) => ({ keys: ['g', key], between: words.thenKey, does: words.keyGo(label) })),
        ]
      : []),
  ]
  return (
    <Dialog opened onClose={onClose} title={words.keysTitle}>
      {isOn ? null : <p className="quiet">{words.keysOff}</p>}
      <dl className="facts flush keys">
        {keys.map(({ keys: pressed, between, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              <kbd>{pressed[0]}</kbd>
              {pressed[1] ? (
                <>
                  <span className="quiet">{between}</span>
                  <kbd>{pressed[1]}</kbd>
                </>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
