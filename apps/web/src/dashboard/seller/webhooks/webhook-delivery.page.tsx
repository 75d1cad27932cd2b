import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { WebhookDelivery } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Snippet } from '../../parts/snippet.tsx'
import { Dot } from '../../parts/status.tsx'
import { Moment } from '../../parts/time.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { deliveriesSearchIn } from './webhook-deliveries.search.ts'
import { useResend } from './webhook-deliveries.tsx'
import { durationText, outcomeText } from './webhook-outcome.ts'
import { webhookWords } from './webhooks.texts.ts'

const route = getRouteApi('/dashboard/$slug/webhooks/$endpointId/deliveries/$deliveryId')
const words = webhookWords.delivery

/** One attempt, with what was asked and answered. */
export function WebhookDeliveryPage() {
  const { billing, slug } = useSeller()
  const { endpointId, deliveryId } = route.useParams()
  const back = (
    <BackLink
      to="/dashboard/$slug/webhooks/$endpointId"
      params={{ slug, endpointId }}
      {...useWayBack(deliveriesSearchIn)}
    >
      {webhookWords.deliveries.title}
    </BackLink>
  )
  const query = itemQuery(['webhook-delivery', deliveryId], (options) =>
    billing.getWebhookDelivery({ id: deliveryId }, options),
  )
  return (
    <Detail query={query} back={back} words={words}>
      {(delivery) => <DeliveryView key={delivery.id} delivery={delivery} back={back} />}
    </Detail>
  )
}

function DeliveryView({ delivery, back }: { delivery: WebhookDelivery; back: ReactNode }) {
  const { may } = useSeller()
  const resend = useResend()
  const { id, webhookEvent, endpointId, attempt } = delivery
  return (
    <>
      <PageHead
        title={words.title(webhookEvent.type, attempt)}
        above={back}
        actions={
          <>
            <ApiCallButton
              calls={{
                [words.call]: apiCall('getWebhookDelivery', { id }),
                [words.resendCall]: apiCall('redeliverWebhookEvent', { id: webhookEvent.id, endpointId }),
              }}
            />
            {may('webhook', 'write') ? (
              <Button
                aria-disabled={resend.isPending || undefined}
                onClick={() => !resend.isPending && resend.mutate(delivery)}
              >
                {words.resend}
              </Button>
            ) : null}
          </>
        }
      />
      <div className="columns">
        <div className="column">
          <RequestPanel delivery={delivery} />
        </div>
        <div className="column">
          <FactsPanel delivery={delivery} />
          <AnswerPanel delivery={delivery} />
          <CheckPanel delivery={delivery} />
        </div>
      </div>
    </>
  )
}

type Props = { delivery: WebhookDelivery }

function FactsPanel({ delivery }: Props) {
  const { id, succeeded, attempt, durationMs, createdAt, webhookEvent } = delivery
  const { facts } = words
  return (
    <Panel title={facts.title}>
      <Facts>
        <Fact label={facts.status}>
          <Dot tone={succeeded ? 'ok' : 'danger'}>{outcomeText(delivery)}</Dot>
        </Fact>
        <Fact label={facts.attempt}>{attempt}</Fact>
        <Fact label={facts.duration}>{durationText(durationMs)}</Fact>
        <Fact label={facts.sent}>
          <Moment at={createdAt} />
        </Fact>
        <Fact label={facts.failing}>
          {webhookEvent.failingSince ? <Moment at={webhookEvent.failingSince} /> : null}
        </Fact>
        <Fact label={facts.next}>
          {!succeeded && attempt === webhookEvent.attempts && webhookEvent.nextAttemptAt ? (
            <Moment at={webhookEvent.nextAttemptAt} />
          ) : null}
        </Fact>
        <Fact label={facts.event}>
          <Copyable text={webhookEvent.id} what={facts.event} />
        </Fact>
        <Fact label={facts.id}>
          <Copyable text={id} what={facts.id} />
        </Fact>
      </Facts>
    </Panel>
  )
}

function RequestPanel({ delivery: { request } }: Props) {
  const { title, headers, body, noBody, redacted } = words.request
  return (
    <Panel title={title}>
      <div className="panel-text fields">
        <p>
          <span className="quiet">POST</span>{' '}
          <Copyable text={request.url} what={webhookWords.about.url.toLowerCase()} />
        </p>
        <h3>{headers}</h3>
        <Headers headers={request.headers} />
        {request.body === null ? (
          <p className="quiet">{noBody}</p>
        ) : (
          <>
            {request.isRedacted ? <p className="notice">{redacted}</p> : null}
            <Snippet label={body} code={pretty(request.body)} copied={request.body} />
          </>
        )}
      </div>
    </Panel>
  )
}

function AnswerPanel({ delivery: { httpCode, response, responseHeaders } }: Props) {
  const { title, none, code, headers, noHeaders, body, empty } = words.answer
  return (
    <Panel title={title}>
      <div className="panel-text fields">
        {httpCode === null ? (
          <>
            <p>{none}</p>
            {response ? <pre className="code">{response}</pre> : null}
          </>
        ) : (
          <>
            <p>
              {code} <strong>{httpCode}</strong>
            </p>
            <h3>{headers}</h3>
            {responseHeaders && Object.keys(responseHeaders).length > 0 ? (
              <Headers headers={responseHeaders} />
            ) : (
              <p className="quiet">{noHeaders}</p>
            )}
            {response ? (
              <Snippet label={body} code={pretty(response)} copied={response} />
            ) : (
              <p className="quiet">{empty}</p>
            )}
          </>
        )}
      </div>
    </Panel>
  )
}

const Headers = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <dl className="facts data flush">
    {Object.entries(headers).map(([name, value]) => (
      <Fact key={name} label={name}>
        <code>{value}</code>
      </Fact>
    ))}
  </dl>
)

/** A program that computes the signature of this very message. */
function CheckPanel({ delivery: { request } }: Props) {
  const id = request.headers['webhook-id']
  const timestamp = request.headers['webhook-timestamp']
  const { title, text, label } = words.check
  // The signature is of the text as it was sent: one with gaps gives another.
  if (!id || !timestamp || request.isRedacted) return null
  return (
    <Panel title={title}>
      <div className="panel-text fields">
        <p className="quiet">{text}</p>
        <Snippet label={label} code={checkOf(id, timestamp)} />
      </div>
    </Panel>
  )
}

const checkOf = (id: string, timestamp: string) => `import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
const body = readFileSync('body.json', 'utf8')
const signed = ['${id}', '${timestamp}', body].join('.')

console.log('v1,' + createHmac('sha256', key).update(signed).digest('base64'))`

/** JSON as people read it; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
