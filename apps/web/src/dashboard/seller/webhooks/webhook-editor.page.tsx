import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { webhookFormats } from '@tollgate/contract/billing'
import type { WebhookEndpoint } from '@tollgate/contract/billing-types'
import { type ReactNode, useState } from 'react'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Detail } from '../../parts/detail.tsx'
import type { Fields } from '../../parts/draft.ts'
import { useDraft } from '../../parts/draft.ts'
import { Editor } from '../../parts/editor.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery } from '../../queries/billing.ts'
import { texts } from '../../texts.ts'
import { bodyOf, draftOf, newWebhook, type WebhookDraft } from './webhook-draft.ts'
import { EventPicker } from './webhook-event-picker.tsx'
import { VerifySnippets } from './webhook-secret.tsx'
import { webhooksWords, webhookWords as words } from './webhooks.texts.ts'

/** The editor of an endpoint; without an id in the address it makes one. */
export function WebhookEditorPage() {
  const { billing, slug } = useSeller()
  const { endpointId } = useParams({ strict: false })
  const toList = (
    <BackLink to="/dashboard/$slug/webhooks" params={{ slug }}>
      {webhooksWords.title}
    </BackLink>
  )
  if (endpointId === undefined) return <WebhookForm endpoint={undefined} back={toList} />
  const query = itemQuery(['webhook', endpointId], (options) => billing.getWebhookEndpoint({ id: endpointId }, options))
  return (
    <Detail query={query} back={toList} words={words}>
      {(endpoint) => (
        <WebhookForm
          key={endpoint.id}
          endpoint={endpoint}
          back={
            <BackLink to="/dashboard/$slug/webhooks/$endpointId" params={{ slug, endpointId }}>
              {endpoint.name || endpoint.url}
            </BackLink>
          }
        />
      )}
    </Detail>
  )
}

type FormProps = { endpoint: WebhookEndpoint | undefined; back: ReactNode }

function WebhookForm({ endpoint, back }: FormProps) {
  const { billing, slug, may, administers, queries } = useSeller()
  const navigate = useNavigate()
  const { draft, isChanged, settle, fieldsWith } = useDraft(() => (endpoint ? draftOf(endpoint) : newWebhook()))
  const [made, setMade] = useState<WebhookEndpoint>()
  const mayWrite = may('webhook', 'write')
  const show = (endpointId: string) =>
    navigate({ to: '/dashboard/$slug/webhooks/$endpointId', params: { slug, endpointId }, ignoreBlocker: true })

  async function save() {
    const body = bodyOf(draft, administers)
    const saved = await answerOf(
      endpoint ? billing.updateWebhookEndpoint({ id: endpoint.id, ...body }) : billing.createWebhookEndpoint(body),
    )
    queries.setQueryData(['billing', 'webhook', saved.id], saved)
    settle(draftOf(saved))
    // Of a new one its secret is shown first; messages to channels are not signed.
    if (!endpoint && saved.format === 'raw') setMade(saved)
    else void show(saved.id)
    return endpoint ? words.saved : words.created
  }

  return (
    <>
      <PageHead
        title={endpoint ? words.editTitle : words.newTitle}
        above={back}
        text={mayWrite ? undefined : words.readOnly}
        actions={
          endpoint ? (
            <ApiCallButton calls={{ [words.calls.update]: apiCall('updateWebhookEndpoint', updateOf(endpoint)) }} />
          ) : null
        }
      />
      <Editor
        submit={endpoint ? texts.form.save : words.submit}
        isChanged={isChanged}
        mayWrite={mayWrite}
        save={save}
        check={() => bodyOf(draft, administers)}
      >
        {(errorOf) => (
          <WebhookFields
            {...fieldsWith(errorOf)}
            mayWrite={mayWrite}
            coversForGood={endpoint?.coversInstallation ?? false}
          />
        )}
      </Editor>
      <SecretDialog secret={made?.secret} onClose={() => made && show(made.id)} words={words.secret.made}>
        <VerifySnippets />
      </SecretDialog>
    </>
  )
}

const updateOf = ({ id, url, name, events }: WebhookEndpoint) => ({ id, url, name, events })

type WebhookFieldsProps = Fields<WebhookDraft> & { mayWrite: boolean; coversForGood: boolean }

function WebhookFields({ draft, change, errorOf, input, mayWrite, coversForGood }: WebhookFieldsProps) {
  const { administers } = useSeller()
  const { form } = words
  const { events, coversInstallation } = draft
  return (
    <>
      <Panel title={form.target}>
        <div className="panel-fields">
          <TextInput
            type="url"
            label={form.url}
            description={form.urlHint}
            autoComplete="off"
            spellCheck={false}
            maxLength={2048}
            {...input('url')}
          />
          <div className="side-by-side">
            <TextInput
              label={form.name}
              description={form.nameHint}
              autoComplete="off"
              maxLength={100}
              {...input('name')}
            />
            <NativeSelect
              label={form.format}
              description={form.formatHint}
              data={webhookFormats.map((value) => ({ value, label: form.formats[value] }))}
              {...input('format')}
            />
          </div>
          {administers ? (
            <Checkbox
              label={form.installation}
              description={form.installationHint}
              disabled={coversForGood}
              {...input('coversInstallation', { type: 'checkbox' })}
            />
          ) : null}
        </div>
      </Panel>
      <Panel title={form.events}>
        <div className="panel-fields">
          <EventPicker
            label={form.events}
            chosen={events}
            onChange={(chosen) => change({ events: chosen })}
            coversInstallation={coversInstallation}
            mayWrite={mayWrite}
            error={errorOf('events')}
          />
        </div>
      </Panel>
    </>
  )
}
