import { Button, Modal, Textarea } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { useFocusReturn } from './focus-return.ts'
import styles from './secret-dialog.module.css'

type Props = {
  /** Nothing: closed. */
  secret: string | undefined
  onClose: () => void
  words: {
    readonly title: string
    readonly text: string
    readonly warning: string
    /** What the secret is. */
    readonly label: string
    readonly copy: string
    readonly done: string
  }
  /** Below the secret, such as how it is used. */
  children?: ReactNode
}

/** Shows a new secret once. A click outside must not close it. */
export function SecretDialog({ secret, onClose, words, children }: Props) {
  const { copied, copy } = useClipboard({ timeout: 4_000 })
  useFocusReturn(secret !== undefined)
  return (
    <Modal.Root
      opened={secret !== undefined}
      onClose={onClose}
      centered
      closeOnClickOutside={false}
      returnFocus={false}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <div className="dialog-head">
            <Modal.Title>{words.title}</Modal.Title>
            <Modal.CloseButton aria-label={texts.dialog.close} />
          </div>
          <div className="fields">
            <p>{words.text}</p>
            <Textarea
              label={words.label}
              rows={2}
              value={secret ?? ''}
              readOnly
              className={styles.secret}
              autoComplete="off"
              spellCheck={false}
              onFocus={(event) => event.currentTarget.select()}
            />
            <div className="notice" data-tone="warn">
              {words.warning}
            </div>
            {children}
            <span className="visually-hidden" role="status">
              {copied ? texts.copy.copied : ''}
            </span>
            <div className="actions end">
              <Button variant="default" onClick={onClose}>
                {words.done}
              </Button>
              <Button data-autofocus onClick={() => copy(secret ?? '')}>
                {copied ? texts.copy.copied : words.copy}
              </Button>
            </div>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
