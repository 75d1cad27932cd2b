import { Button, Drawer } from '@mantine/core'
import { useClipboard, useDisclosure } from '@mantine/hooks'
import { IconTerminal2 } from '@tabler/icons-react'
import { type BillingCall, billingCalls } from '@tollgate/contract/billing'
import { useId } from 'react'
import { useDashboard } from '../context.ts'
import { texts } from '../texts.ts'
import styles from './api-call.module.css'
import { type ApiCall, curlOf } from './api-command.ts'

const words = texts.apiCalls

type Props = {
  /** By what they do: "List these orders". With the values that the page shows. */
  calls: Readonly<Record<string, ApiCall>>
}

/** A button that shows the API calls behind the page. */
export function ApiCallButton({ calls }: Props) {
  const [isOpen, drawer] = useDisclosure()
  return (
    <>
      <Button
        variant="default"
        className={styles.open}
        leftSection={<IconTerminal2 size={16} stroke={1.6} aria-hidden />}
        onClick={drawer.open}
      >
        {words.open}
      </Button>
      <Drawer.Root opened={isOpen} onClose={drawer.close} position="right" size={520}>
        <Drawer.Overlay />
        <Drawer.Content>
          <Drawer.Body className={`drawer ${styles.calls}`}>
            <div className="dialog-head">
              <Drawer.Title>{words.title}</Drawer.Title>
              <Drawer.CloseButton aria-label={texts.dialog.close} />
            </div>
            <p className="quiet">{words.token}</p>
            {Object.entries(calls).map(([what, call]) => (
              <Command key={what} what={what} call={call} />
            ))}
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  )
}

function Command({ what, call }: { what: string; call: ApiCall }) {
  const { scope }: BillingCall = billingCalls[call.name]
  const curl = curlOf(useDashboard().origin, call)
  const { copied, copy } = useClipboard({ timeout: 2_000 })
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel">
      <div className="panel-head">
        <h3 id={id}>{what}</h3>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={texts.copy.named(copied ? texts.copy.copied : texts.copy.short, what)}
          onClick={() => copy(curl)}
        >
          {copied ? texts.copy.copied : texts.copy.short}
        </Button>
      </div>
      <div className="panel-text">
        <pre className="code">{curl}</pre>
        {scope ? <p className="quiet">{words.scope(scope)}</p> : null}
      </div>
      <span className="visually-hidden" role="status">
        {copied ? texts.copy.copied : ''}
      </span>
    </section>
  )
}
