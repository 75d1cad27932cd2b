import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { type ReactNode, useEffect, useState } from 'react'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { ButtonLink } from '../../parts/button-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { Moment, momentText } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery } from '../../queries/billing.ts'
import styles from './webhook.module.css'
import { deliveriesQueryOf } from './webhook-deliveries.query.ts'
import { Deliveries } from './webhook-deliveries.tsx'
import { ReplayDialog, type ReplayOf, TestDialog } from './webhook-dialogs.tsx'
import { HealthPanel, latestDeliveries } from './webhook-health.tsx'
import { SecretPanel } from './webhook-secret.tsx'
import { WebhookState } from './webhook-state.tsx'
import { webhooks } from './webhooks.resource.ts'
import { webhooksWords, webhookWords as words } from './webhooks.texts.ts'

const route = getRouteApi('/dashboard/$slug/webhooks/$endpointId')

/** Looked at again after so many milliseconds: soon after something was sent, and while something waits. */
const soon = 1_000
const later = 5_000
/** How long to poll for a delivery's outcome, in milliseconds. */
const lookFor = 10_000

/** Everything about an endpoint: how it does, what was sent to it, and how messages are verified. */
export function WebhookPage() {
  const { billing, slug } = useSeller()
  const { endpointId } = route.useParams()
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    if (!isSent) return
    const timer = setTimeout(() => setSent(false), lookFor)
    return () => clearTimeout(timer)
  }, [isSent])
  const back = (
    <BackLink to="/dashboard/$slug/webhooks" params={{ slug }} {...useWayBack(webhooks.searchIn)}>
      {webhooksWords.title}
    </BackLink>
  )
  const query = itemQuery(['webhook', endpointId], (options) => billing.getWebhookEndpoint({ id: endpointId }, options))
  const waiting = useQuery({ ...query, enabled: false }).data?.pendingCount ?? 0
  const refetchInterval = isSent ? soon : waiting > 0 ? later : false
  return (
    <Detail
      query={{ ...query, refetchInterval }}
      back={back}
      words={words}
      parts={[useQuery(latestDeliveries(billing, endpointId))]}
    >
      {(endpoint) => (
        <WebhookView
          key={endpoint.id}
          endpoint={endpoint}
          back={back}
          refetchInterval={refetchInterval}
          onSent={() => setSent(true)}
        />
      )}
    </Detail>
  )
}

type ViewProps = {
  endpoint: WebhookEndpoint
  back: ReactNode
  refetchInterval: number | false
  onSent: () => void
}

function WebhookView({ endpoint, back, refetchInterval, onSent }: ViewProps) {
  const { may } = useSeller()
  const { id } = endpoint
  return (
    <>
      <PageHead
        title={endpoint.name || endpoint.url}
        above={back}
        actions={
          <>
            <ApiCallButton calls={callsOf(id)} />
            {may('webhook', 'write') ? <Actions endpoint={endpoint} onSent={onSent} /> : null}
          </>
        }
      />
      <Banner endpoint={endpoint} onSent={onSent} />
      <div className="columns">
        <div className="column">
          <HealthPanel endpointId={id} refetchInterval={refetchInterval} />
          <AboutPanel endpoint={endpoint} />
        </div>
        <div className="column">
          <SecretPanel endpoint={endpoint} />
        </div>
      </div>
      <div className={styles.sectionHead}>
        <h2>{words.deliveries.title}</h2>
        {may('webhook', 'write') ? <ReplayButtons endpoint={endpoint} onSent={onSent} /> : null}
      </div>
      <Deliveries endpoint={endpoint} refetchInterval={refetchInterval} onSent={onSent} />
    </>
  )
}

const callsOf = (id: string) => ({
  [words.calls.get]: apiCall('getWebhookEndpoint', { id }),
  [words.calls.deliveries]: apiCall('listWebhookDeliveries', deliveriesQueryOf(id, {})),
  [words.calls.test]: apiCall('testWebhookEndpoint', { id }),
})

type PartProps = { endpoint: WebhookEndpoint; onSent: () => void }

function Actions({ endpoint, onSent }: PartProps) {
  const { billing, slug } = useSeller()
  const navigate = useNavigate()
  const [isTesting, setTesting] = useState(false)
  const { id, enabled } = endpoint
  return (
    <>
      {enabled ? <SwitchButton endpoint={endpoint} /> : null}
      <ButtonLink to="/dashboard/$slug/webhooks/$endpointId/edit" params={{ slug, endpointId: id }} variant="default">
        {words.edit}
      </ButtonLink>
      <RemoveButton
        words={words.remove}
        name={endpoint.name || endpoint.url}
        remove={() => answerOf(billing.deleteWebhookEndpoint({ id }))}
        onRemoved={() => navigate({ to: '/dashboard/$slug/webhooks', params: { slug } })}
      />
      <Button onClick={() => setTesting(true)}>{words.test.button}</Button>
      <TestDialog endpoint={endpoint} opened={isTesting} onClose={() => setTesting(false)} onSent={onSent} />
    </>
  )
}

/** Switches an endpoint on or off. */
function SwitchButton({ endpoint: { id, enabled } }: { endpoint: WebhookEndpoint }) {
  const { billing, queries } = useSeller()
  const change = useMutation({
    mutationFn: () => answerOf(billing.updateWebhookEndpoint({ id, enabled: !enabled })),
    onSuccess: (saved) => {
      notifications.show({ message: saved.enabled ? words.enabled : words.disabled })
      return queries.invalidateQueries({ queryKey: ['billing'] })
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
  return (
    <Button
      variant="default"
      aria-disabled={change.isPending || undefined}
      onClick={() => !change.isPending && change.mutate()}
    >
      {enabled ? words.disable : words.enable}
    </Button>
  )
}

/** Above everything else: why nothing is sent, nothing comes through, or something is stuck or missing. */
function Banner({ endpoint, onSent }: PartProps) {
  const { may } = useSeller()
  const { enabled, disabledReason, failingSince } = endpoint
  if (!enabled) {
    return (
      <div className="notice" data-tone={disabledReason === 'by_hand' ? 'plain' : 'danger'} role="status">
        <span>{words.banner[disabledReason ?? 'by_hand']}</span>
        {may('webhook', 'write') ? <SwitchButton endpoint={endpoint} /> : null}
      </div>
    )
  }
  if (failingSince) {
    return (
      <div className="notice" data-tone="warn" role="status">
        <span>{words.banner.isFailing(momentText(failingSince))}</span>
      </div>
    )
  }
  return <Missing endpoint={endpoint} onSent={onSent} />
}

/** Of an endpoint that most comes through to: what does not, or did not. */
function Missing({ endpoint, onSent }: PartProps) {
  const { may } = useSeller()
  const { stuckCount, stuckSince, missedSince } = endpoint
  return (
    <>
      {stuckSince ? (
        <div className="notice" data-tone="warn" role="status">
          <span>{words.banner.stuck(stuckCount, momentText(stuckSince))}</span>
        </div>
      ) : null}
      {missedSince ? (
        <div className="notice" data-tone="warn" role="status">
          <span>{words.banner.missed(momentText(missedSince))}</span>
          {may('webhook', 'write') ? (
            <ReplayButton endpoint={endpoint} of="failed" onSent={onSent}>
              {words.banner.resend}
            </ReplayButton>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

function AboutPanel({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { about } = words
  const { id, url, format, events, pendingCount, coversInstallation, createdAt } = endpoint
  return (
    <Panel title={about.title}>
      <Facts>
        <Fact label={about.state}>
          <WebhookState endpoint={endpoint} />
        </Fact>
        <Fact label={about.url}>
          <Copyable text={url} what={about.url.toLowerCase()} />
        </Fact>
        <Fact label={about.format}>{words.form.formats[format]}</Fact>
        <Fact label={about.scope}>{coversInstallation ? about.installation : about.organization}</Fact>
        <Fact label={about.waiting}>{webhooksWords.waiting(pendingCount)}</Fact>
        <Fact label={about.events}>
          {events.length === 0 ? (
            <span className="quiet">{about.noEvents}</span>
          ) : (
            events.map((type) => <code key={type}>{type}</code>)
          )}
        </Fact>
        <Fact label={about.created}>
          <Moment at={createdAt} />
        </Fact>
        <Fact label={about.id}>
          <Copyable text={id} what={about.id} />
        </Fact>
      </Facts>
    </Panel>
  )
}

const ReplayButtons = (props: PartProps) => (
  <div className="actions">
    <ReplayButton of="failed" {...props}>
      {words.replay.failedButton}
    </ReplayButton>
    <ReplayButton of="all" {...props}>
      {words.replay.button}
    </ReplayButton>
  </div>
)

function ReplayButton({ children, ...of }: PartProps & { of: ReplayOf; children: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {children}
      </Button>
      <ReplayDialog {...of} opened={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}
