import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { texts } from '../texts.ts'
import styles from './copy.module.css'

/** A text, or a part of it, with a copy button for all of it that announces success. */
export function Copyable({ text, what, shown = text }: { text: string; what: string; shown?: string }) {
  const { copied, copy } = useClipboard({ timeout: 2_000 })
  const Icon = copied ? IconCheck : IconCopy
  return (
    <span className={styles.copyable}>
      <code>{shown}</code>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={texts.copy.copy(what)} onClick={() => copy(text)}>
        <Icon size={15} stroke={1.6} />
      </ActionIcon>
      <span className="visually-hidden" role="status">
        {copied ? texts.copy.copied : ''}
      </span>
    </span>
  )
}
