import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { useFocusReturn } from './focus-return.ts'

type Props = { opened: boolean; onClose: () => void; title: string; children: ReactNode }

/** A modal dialog. */
export function Dialog({ opened, onClose, title, children }: Props) {
  useFocusReturn(opened)
  return (
    <Modal.Root opened={opened} onClose={onClose} centered returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          {/* Not Modal.Header, which would add a second banner landmark. */}
          <div className="dialog-head">
            <Modal.Title>{title}</Modal.Title>
            <Modal.CloseButton aria-label={texts.dialog.close} />
          </div>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
