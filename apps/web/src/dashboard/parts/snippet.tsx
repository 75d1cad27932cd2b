import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { texts } from '../texts.ts'
import styles from './snippet.module.css'

type Props = {
  label: string
  code: string
  /** The copied text if it differs from the shown one: a body is shown formatted and copied raw. */
  copied?: string
}

/** A code or data snippet with its name and a copy button. */
export function Snippet({ label, code, copied: text = code }: Props) {
  const { copied, copy } = useClipboard({ timeout: 2_000 })
  const action = copied ? texts.copy.copied : texts.copy.short
  return (
    <div className={styles.snippet}>
      <div className={styles.head}>
        <h3>{label}</h3>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={texts.copy.named(action, label)}
          onClick={() => copy(text)}
        >
          {action}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is long scrolls, and has to by keyboard, too */}
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
      <span className="visually-hidden" role="status">
        {copied ? texts.copy.copied : ''}
      </span>
    </div>
  )
}
