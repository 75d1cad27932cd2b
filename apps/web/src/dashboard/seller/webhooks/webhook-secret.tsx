import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { useState } from 'react'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { Snippet } from '../../parts/snippet.tsx'
import { momentText } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { webhookWords } from './webhooks.texts.ts'

const words = webhookWords.secret

/** In what a receiver of ours is written; `body` is the text as it came. */
const standard = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// Throws if the signature is wrong.
const event = webhook.verify(body, headers)`

const sdk = `import { webhooks } from '@polar-sh/sdk/2026-10'

// Throws if the signature is wrong.
const event = await webhooks.validateEvent(body, headers, process.env.WEBHOOK_SECRET)`

const sdkBefore = `import { validateEvent } from '@polar-sh/sdk/webhooks'

// Throws if the signature is wrong.
const event = validateEvent(body, headers, process.env.WEBHOOK_SECRET)`

/** How a message is verified, in the ways that most programs do it; as in docs/webhooks.md. */
export const VerifySnippets = () => (
  <>
    <Snippet label={words.snippets.standard} code={standard} />
    <Snippet label={words.snippets.sdk} code={sdk} />
    <Snippet label={words.snippets.sdkBefore} code={sdkBefore} />
  </>
)

/** By what messages are signed, and how that is changed. */
export function SecretPanel({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { may } = useSeller()
  const [isShown, setShown] = useState(false)
  if (endpoint.format !== 'raw') {
    return (
      <Panel title={words.title}>
        <p className="quiet panel-text">{words.noSecret}</p>
      </Panel>
    )
  }
  const { secret, previousSecretExpiresAt } = endpoint
  const mayWrite = may('webhook', 'write')
  return (
    <Panel title={words.title} actions={mayWrite ? <RotateButton endpoint={endpoint} /> : null}>
      <p className="quiet panel-note">{words.text}</p>
      <Facts>
        <Fact label={words.label}>
          {isShown ? (
            <Copyable text={secret} what={words.label.toLowerCase()} />
          ) : (
            <code>{words.hidden(secret.slice(-4))}</code>
          )}
          {mayWrite ? (
            <Button variant="default" size="compact-sm" onClick={() => setShown(!isShown)}>
              {isShown ? words.hide : words.show}
            </Button>
          ) : null}
          {previousSecretExpiresAt ? (
            <span className="quiet">{words.overlap(momentText(previousSecretExpiresAt))}</span>
          ) : null}
        </Fact>
      </Facts>
      <div className="panel-text fields">
        <VerifySnippets />
      </div>
    </Panel>
  )
}

/** Gives a new secret, and shows it. */
function RotateButton({ endpoint: { id } }: { endpoint: WebhookEndpoint }) {
  const { billing } = useSeller()
  const [isAsking, asking] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={asking.open}>
        {words.rotate}
      </Button>
      <ActionDialog
        opened={isAsking}
        onClose={asking.close}
        title={words.rotation.title}
        text={words.rotation.text}
        submit={words.rotation.submit}
        run={async () => {
          setSecret((await answerOf(billing.rotateWebhookSecret({ id }))).secret)
          return undefined
        }}
      />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} words={words.rotated} />
    </>
  )
}
