import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { taxSchemas } from '@tollgate/contract/billing-schemas'
import type { TaxSettings } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { contractBody } from '../../parts/contract-body.ts'
import { countries } from '../../parts/countries.ts'
import { Detail } from '../../parts/detail.tsx'
import { type Fields, useDraft } from '../../parts/draft.ts'
import { Editor } from '../../parts/editor.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { answerOf } from '../../queries/answer.ts'
import { itemQuery, taxSettingsQuery } from '../../queries/billing.ts'
import styles from './tax.module.css'
import { taxWords as words } from './tax.texts.ts'
import { type AddressLine, type TaxDraft, taxDraft, taxValues } from './tax-draft.ts'
import { placeName } from './tax-places.ts'
import { RegistrationsField } from './tax-registrations.tsx'

/** The organization's tax registrations and legal identity. */
export function TaxPage() {
  const { billing, organization } = useSeller()
  return (
    <Detail query={taxSettingsQuery(billing, organization.id)} back={null} words={words}>
      {(settings) => <TaxView settings={settings} />}
    </Detail>
  )
}

function TaxView({ settings }: { settings: TaxSettings }) {
  const { billing, organization, may, queries } = useSeller()
  const { draft, isChanged, settle, fieldsWith } = useDraft(() => taxDraft(settings))
  const mayWrite = may('organization', 'update')
  const { id } = organization

  const check = () => contractBody(taxSchemas.updateTaxSettings.body, taxValues(draft), {})
  async function save() {
    const saved = await answerOf(billing.updateTaxSettings({ id, ...check() }))
    queries.setQueryData(taxSettingsQuery(billing, id).queryKey, saved)
    settle(taxDraft(saved))
    return words.saved
  }

  const isByTable = settings.provider === 'table'
  return (
    <>
      <PageHead
        title={words.title}
        text={mayWrite ? words.text : words.readOnly}
        actions={
          <ApiCallButton
            calls={{
              [words.calls.get]: apiCall('getTaxSettings', { id }),
              [words.calls.update]: apiCall('updateTaxSettings', { id, ...taxValues(draft) }),
            }}
          />
        }
      />
      {isByTable ? null : <div className="notice">{settings.provider === 'stripe' ? words.stripe : words.none}</div>}
      <Editor
        submit={words.submit}
        isChanged={isChanged}
        mayWrite={mayWrite}
        save={save}
        check={check}
        aside={isByTable ? <TablePanel /> : null}
      >
        {(errorOf) => (
          <>
            {isByTable ? <PlacesPanel {...fieldsWith(errorOf)} effective={settings.effectiveRegistrations} /> : null}
            <SellerPanel {...fieldsWith(errorOf)} />
          </>
        )}
      </Editor>
    </>
  )
}

type PanelProps = Fields<TaxDraft>

function useRates() {
  const { billing } = useSeller()
  return useQuery({ ...itemQuery(['tax-rates'], (options) => billing.listTaxRates({}, options)), staleTime: Infinity })
}

function PlacesPanel({
  draft: { isOwn, registrations },
  change,
  errorOf,
  effective,
}: PanelProps & { effective: TaxSettings['effectiveRegistrations'] }) {
  const { places } = words
  const { data } = useRates()
  const usualOf = (place: string) => data?.rates.find(({ country, state }) => (state ?? country) === place)?.percent
  return (
    <Panel title={places.title}>
      <div className="panel-fields">
        <p className="quiet">{places.text}</p>
        <NativeSelect
          label={places.whose}
          data={[
            { value: 'installation', label: places.installation },
            { value: 'own', label: places.own },
          ]}
          value={isOwn ? 'own' : 'installation'}
          error={errorOf('registrations')}
          onChange={(event) => change({ isOwn: event.currentTarget.value === 'own' })}
        />
        {isOwn ? (
          <RegistrationsField
            lines={registrations}
            onChange={(lines) => change({ registrations: lines })}
            usualOf={usualOf}
            errorOf={errorOf}
          />
        ) : (
          <EffectivePlaces places={effective} usualOf={usualOf} />
        )}
      </div>
    </Panel>
  )
}

type EffectiveProps = {
  places: TaxSettings['effectiveRegistrations']
  usualOf: (place: string) => string | undefined
}

/** The places of the installation, each with what is collected there. */
function EffectivePlaces({ places, usualOf }: EffectiveProps) {
  if (places.length === 0) return <p className="quiet">{words.places.nowhere}</p>
  return (
    <ul className="plain-list">
      {places.map(({ country, state, percent }) => {
        const place = placeName(country, state)
        const rate = percent ?? usualOf(state ?? country)
        return <li key={state ?? country}>{rate === undefined ? place : words.places.rate(place, rate)}</li>
      })}
    </ul>
  )
}

function SellerPanel({ errorOf, input }: PanelProps) {
  const { seller } = words
  const line = (name: AddressLine, label: string) => (
    <TextInput label={label} autoComplete="off" maxLength={255} {...input(`address.${name}`)} />
  )
  return (
    <Panel title={seller.title}>
      <div className="panel-fields">
        <TextInput
          label={seller.legalName}
          description={seller.legalNameHint}
          autoComplete="off"
          maxLength={256}
          {...input('legalName')}
        />
        <NativeSelect
          label={seller.country}
          data={[{ value: '', label: seller.noCountry }, ...countries]}
          {...input('address.country')}
          error={errorOf('address.country') ?? errorOf('address')}
        />
        {line('line1', seller.line1)}
        {line('line2', seller.line2)}
        <div className="side-by-side">
          {line('postalCode', seller.postalCode)}
          {line('city', seller.city)}
        </div>
        {line('state', seller.state)}
        <TextInput
          label={seller.taxId}
          description={seller.taxIdHint}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          {...input('taxId')}
        />
        <NativeSelect
          label={seller.taxBehavior}
          description={seller.taxBehaviorHint}
          data={[
            { value: 'exclusive', label: seller.exclusive },
            { value: 'inclusive', label: seller.inclusive },
          ]}
          {...input('taxBehavior')}
        />
        <Textarea
          label={seller.note}
          description={seller.noteHint}
          rows={3}
          maxLength={1000}
          {...input('documentNote')}
        />
      </div>
    </Panel>
  )
}

/** The origin and date of the shipped table, for the seller's own check. */
function TablePanel() {
  const { table } = words
  const { data } = useRates()
  return (
    <Panel title={table.title}>
      <p className="quiet panel-note">{table.text}</p>
      <Facts>
        <Fact label={table.asOf}>{data?.asOf}</Fact>
        <Fact label={table.source}>{data?.source}</Fact>
      </Facts>
      {data ? (
        <details className="panel-text">
          <summary>{table.show(data.rates.length)}</summary>
          <dl className={`facts flush ${styles.rates}`} aria-label={table.rates}>
            {data.rates.map(({ country, state, name, percent }) => (
              <Fact key={`${state ?? country} ${name}`} label={placeName(country, state)}>
                {`${name} ${percent}%`}
              </Fact>
            ))}
          </dl>
        </details>
      ) : null}
    </Panel>
  )
}
