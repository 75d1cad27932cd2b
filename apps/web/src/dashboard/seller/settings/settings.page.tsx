import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { merchantSchemas } from '@tollgate/contract/billing-schemas'
import type { Merchant } from '@tollgate/contract/billing-types'
import { lazy, Suspense } from 'react'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { useAsked } from '../../parts/asked.ts'
import { brandWords } from '../../parts/brand.texts.ts'
import { shownBrand } from '../../parts/brand-draft.ts'
import { BrandFields } from '../../parts/brand-fields.tsx'
import { BrandPreview } from '../../parts/brand-preview.tsx'
import { contractBody } from '../../parts/contract-body.ts'

import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { type Fields, useDraft } from '../../parts/draft.ts'
import { Editor } from '../../parts/editor.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { OwnPicture } from '../../parts/own-picture.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Dot } from '../../parts/status.tsx'
import { Moment } from '../../parts/time.tsx'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery } from '../../queries/billing.ts'
import { currencyOptions } from '../products/currency-select.tsx'
import { PricingPage, pricingPageName } from '../products/pricing-page.tsx'
import { settingsWords as words } from './settings.texts.ts'
import { type SettingsDraft, settingsDraft, settingsValues } from './settings-draft.ts'
import { SocialsField } from './settings-socials.tsx'
import { SubscriptionsPanel } from './settings-subscriptions.tsx'

/** Loaded when it opens for the first time. */
const DetailsDialog = lazy(async () => ({ default: (await import('./settings-details.dialog.tsx')).DetailsDialog }))

/** The organization's public profile, sales settings, and approval. */
export function SettingsPage() {
  const { billing, organization } = useSeller()
  const { id } = organization
  const query = itemQuery(['merchant', id], (options) => billing.getMerchant({ id }, options))
  return (
    <Detail query={query} back={null} words={words}>
      {(merchant) => <SettingsView key={merchant.id} merchant={merchant} />}
    </Detail>
  )
}

function SettingsView({ merchant }: { merchant: Merchant }) {
  const { billing, may } = useSeller()
  const { draft, isChanged, settle, fieldsWith } = useDraft(() => settingsDraft(merchant))
  const { what, ask, frame } = useAsked<'details'>()
  const mayWrite = may('organization', 'update')
  const { id } = merchant

  const check = () =>
    contractBody(merchantSchemas.updateMerchant.body, settingsValues(draft), {
      dunning_retry_after_days: words.subscriptions.retryDaysInvalid,
    })
  async function save() {
    settle(settingsDraft(await answerOf(billing.updateMerchant({ id, ...check() }))))
    return words.saved
  }

  return (
    <>
      <PageHead
        title={words.title}
        text={mayWrite ? words.text : words.readOnly}
        actions={
          <ApiCallButton
            calls={{
              [words.calls.get]: apiCall('getMerchant', { id }),
              [words.calls.update]: apiCall('updateMerchant', { id, ...settingsValues(draft) }),
            }}
          />
        }
      />
      <Editor
        submit={words.submit}
        isChanged={isChanged}
        mayWrite={mayWrite}
        save={save}
        check={check}
        aside={
          <>
            <BrandPreview brand={shownBrand(draft.brand)} name={merchant.name} logo={merchant.avatarUrl} />
            <SellingPanel merchant={merchant} />
            <DetailsPanel merchant={merchant} mayWrite={mayWrite} onDescribe={() => ask('details')} />
          </>
        }
      >
        {(errorOf) => (
          <>
            <IdentityPanel merchant={merchant} mayWrite={mayWrite} />
            <Sections {...fieldsWith(errorOf)} />
          </>
        )}
      </Editor>
      <Suspense>{what ? <DetailsDialog merchantId={id} {...frame} /> : null}</Suspense>
    </>
  )
}

type SectionsProps = Fields<SettingsDraft>

function Sections(fields: SectionsProps) {
  const { draft, change, errorOf, input } = fields
  const { profile } = words
  const text = (name: 'email' | 'website', label: string, rest: object = {}) => (
    <TextInput label={label} autoComplete="off" {...rest} {...input(name)} />
  )
  return (
    <>
      <Panel title={profile.title}>
        <div className="panel-fields">
          {text('email', profile.email, { type: 'email', description: profile.emailHint })}
          {text('website', profile.website, { type: 'url', description: profile.websiteHint })}
        </div>
      </Panel>
      <Panel title={brandWords.title}>
        <div className="panel-fields">
          <BrandFields
            draft={draft.brand}
            onChange={(brand) => change({ brand: { ...draft.brand, ...brand } })}
            errorOf={(name) => errorOf(`brand.${name}`)}
          />
        </div>
      </Panel>
      <SocialsField socials={draft.socials} onChange={(socials) => change({ socials })} errorOf={errorOf} />
      <PricesPanel {...fields} />
      <SubscriptionsPanel {...fields} />
      <FeaturesPanel {...fields} />
    </>
  )
}

type IdentityProps = { merchant: Merchant; mayWrite: boolean }

/** Name and logo are those of the organization, and are changed on its profile. */
function IdentityPanel({ merchant: { name, slug, avatarUrl }, mayWrite }: IdentityProps) {
  return (
    <Panel title={words.identity.title}>
      <div className="panel-line">
        <span className="with-icon">
          <OwnPicture name={name} image={avatarUrl} />
          <strong>{name}</strong>
        </span>
        {mayWrite ? (
          <Button component="a" href={`/org/${encodeURIComponent(slug)}/settings`} variant="default">
            {words.identity.change}
          </Button>
        ) : null}
      </div>
    </Panel>
  )
}

/** The currency for buyers without a price in their own. */
function PricesPanel({ input, errorOf }: SectionsProps) {
  const { prices } = words
  return (
    <Panel title={prices.title}>
      <div className="panel-fields">
        <NativeSelect
          label={prices.defaultCurrency}
          description={prices.defaultCurrencyHint}
          data={[{ value: '', label: prices.noDefault }, ...currencyOptions]}
          {...input('defaultCurrency')}
          error={errorOf('default_presentment_currency')}
        />
      </div>
    </Panel>
  )
}

function FeaturesPanel({ input }: SectionsProps) {
  const { features } = words
  const ticked = (name: keyof SettingsDraft['featureSettings']) =>
    input(`featureSettings.${name}`, { type: 'checkbox' })
  return (
    <Panel title={features.title}>
      <div className="panel-fields">
        <p className="quiet">{features.text}</p>
        <Checkbox label={features.usageBased} {...ticked('usageBasedBillingEnabled')} />
        <Checkbox label={features.issueFunding} {...ticked('issueFundingEnabled')} />
      </div>
    </Panel>
  )
}

/** Whether it may sell, and what to name it by when one asks for that. */
function SellingPanel({ merchant: { maySell, slug, id } }: { merchant: Merchant }) {
  const { selling } = words
  return (
    <Panel title={selling.title}>
      <div className="panel-text">
        <Dot tone={maySell ? 'ok' : 'warn'}>{maySell ? selling.yes : selling.no}</Dot>
        <p className="quiet">{maySell ? selling.yesText : selling.noText}</p>
      </div>
      <Facts>
        <Fact label={pricingPageName}>{maySell ? <PricingPage /> : null}</Fact>
        <Fact label={selling.slug}>
          <Copyable text={slug} what={selling.slug} />
        </Fact>
        <Fact label={selling.id}>
          <Copyable text={id} what={selling.id} />
        </Fact>
      </Facts>
    </Panel>
  )
}

type DetailsProps = { merchant: Merchant; mayWrite: boolean; onDescribe: () => void }

function DetailsPanel({ merchant: { detailsSubmittedAt }, mayWrite, onDescribe }: DetailsProps) {
  const { details } = words
  return (
    <Panel title={details.title}>
      <p className="quiet panel-note">{details.text}</p>
      <div className="panel-line">
        {detailsSubmittedAt ? (
          <span className="quiet">
            {details.sent} <Moment at={detailsSubmittedAt} />
          </span>
        ) : (
          <span className="quiet">{details.none}</span>
        )}
        {mayWrite ? (
          <Button variant="default" onClick={onDescribe}>
            {detailsSubmittedAt ? details.again : details.button}
          </Button>
        ) : null}
      </div>
    </Panel>
  )
}
