import { Button, NativeSelect, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Discount } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import type { Fields } from '../../parts/draft.ts'
import { EditorPage } from '../../parts/editor-page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Picker } from '../../parts/picker.tsx'
import { productChoices } from '../lists/lists.ts'
import { CurrencySelect } from '../products/currency-select.tsx'
import styles from './discount.module.css'
import {
  bodyOf,
  changesOf,
  type DiscountDraft,
  draftOf,
  durations,
  madeUpCode,
  newDiscount,
  types,
} from './discount-draft.ts'
import { discounts } from './discounts.resource.ts'
import { discountsWords, discountWords as words } from './discounts.texts.ts'

const route = getRouteApi('/dashboard/$slug/discounts/$discountId')

/** The editor of a discount; `new` in the address creates one. */
export function DiscountPage() {
  const { billing, slug, may } = useSeller()
  const { discountId } = route.useParams()
  const navigate = useNavigate()
  const back = (
    <BackLink to="/dashboard/$slug/discounts" params={{ slug }} {...useWayBack(discounts.searchIn)}>
      {discountsWords.title}
    </BackLink>
  )
  return (
    <EditorPage
      id={discountId}
      kind="discount"
      read={billing.getDiscount}
      words={words}
      back={back}
      mayWrite={may('discount', 'write')}
      nameOf={({ name }) => name}
      calls={({ id }) => ({ [discountsWords.calls.get]: apiCall('getDiscount', { id }) })}
      newDraft={newDiscount}
      draftOf={draftOf}
      save={(draft, discount) =>
        discount
          ? billing.updateDiscount({ id: discount.id, ...changesOf(draft, discount) })
          : billing.createDiscount(bodyOf(draft))
      }
      onCreated={(id) =>
        navigate({
          to: '/dashboard/$slug/discounts/$discountId',
          params: { slug, discountId: id },
          ignoreBlocker: true,
        })
      }
      removal={{
        words: words.remove,
        remove: billing.deleteDiscount,
        onRemoved: () => navigate({ to: '/dashboard/$slug/discounts', params: { slug }, ignoreBlocker: true }),
      }}
    >
      {(fields, discount) => (
        <>
          <Details {...fields} discount={discount} />
          <Worth {...fields} discount={discount} />
          <Limits {...fields} />
          <Products {...fields} />
        </>
      )}
    </EditorPage>
  )
}

type PartProps = Fields<DiscountDraft>

function Details({ change, input, discount }: PartProps & { discount: Discount | undefined }) {
  return (
    <Panel title={words.details}>
      <div className="panel-fields">
        <TextInput
          label={words.name}
          description={words.nameHint}
          autoComplete="off"
          maxLength={256}
          {...input('name')}
        />
        <div className={styles.withButton}>
          <TextInput
            label={words.code}
            description={words.codeHint}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={256}
            {...input('code')}
          />
          <Button variant="default" onClick={() => change({ code: madeUpCode() })}>
            {words.generate}
          </Button>
        </div>
        {discount ? (
          <dl className="facts flush">
            <dt>{words.redeemed}</dt>
            <dd>{discountsWords.redeemedOf(discount.redemptionsCount, discount.maxRedemptions)}</dd>
            <dt>{words.id}</dt>
            <dd>
              <Copyable text={discount.id} what={words.id} />
            </dd>
          </dl>
        ) : null}
      </div>
    </Panel>
  )
}

/** Kind, duration and currency stay as they were made, and after the first redemption the worth does, too. */
function Worth({ draft, change, errorOf, input, discount }: PartProps & { discount: Discount | undefined }) {
  const isFrozen = discount !== undefined && discount.redemptionsCount > 0
  return (
    <Panel title={words.worth}>
      <div className="panel-fields">
        {discount ? <p className="quiet">{isFrozen ? words.frozen : words.frozenKind}</p> : null}
        <div className="side-by-side">
          <NativeSelect
            label={words.type}
            data={types.map((value) => ({ value, label: words.types[value] }))}
            disabled={discount !== undefined}
            {...input('type')}
          />
          {draft.type === 'percentage' ? (
            <TextInput
              label={words.percent}
              description={words.percentHint}
              inputMode="decimal"
              autoComplete="off"
              maxLength={6}
              disabled={isFrozen}
              {...input('basisPoints')}
            />
          ) : (
            <>
              <TextInput
                label={words.amount}
                inputMode="decimal"
                autoComplete="off"
                maxLength={20}
                disabled={isFrozen}
                {...input('amount')}
              />
              <CurrencySelect
                value={draft.currency}
                disabled={discount !== undefined}
                onChange={(currency) => change({ currency })}
                error={errorOf('currency')}
              />
            </>
          )}
        </div>
        <div className="side-by-side">
          <NativeSelect
            label={words.duration}
            data={durations.map((value) => ({ value, label: words.durations[value] }))}
            disabled={discount !== undefined}
            {...input('duration')}
          />
          {draft.duration === 'repeating' ? (
            <TextInput
              label={words.months}
              inputMode="numeric"
              autoComplete="off"
              maxLength={4}
              disabled={discount !== undefined}
              {...input('durationInMonths')}
            />
          ) : null}
        </div>
      </div>
    </Panel>
  )
}

function Limits({ input }: PartProps) {
  const count = (path: 'maxRedemptions' | 'maxRedemptionsPerCustomer', label: string) => (
    <TextInput
      label={label}
      description={words.mostHint}
      inputMode="numeric"
      autoComplete="off"
      maxLength={9}
      {...input(path)}
    />
  )
  const time = (path: 'startsAt' | 'endsAt', label: string) => (
    <TextInput type="datetime-local" label={label} max="9998-12-31T23:59" {...input(path)} />
  )
  return (
    <Panel title={words.limits}>
      <div className="panel-fields">
        <p className="quiet">{words.times}</p>
        <div className="side-by-side">
          {time('startsAt', words.starts)}
          {time('endsAt', words.ends)}
        </div>
        <div className="side-by-side">
          {count('maxRedemptions', words.most)}
          {count('maxRedemptionsPerCustomer', words.mostEach)}
        </div>
      </div>
    </Panel>
  )
}

function Products({ draft, change, errorOf }: PartProps) {
  const { billing } = useSeller()
  return (
    <Panel title={words.products}>
      <div className="panel-fields">
        <Picker
          label={words.productsLabel}
          none={words.everyProduct}
          chosen={draft.products}
          onChange={(products) => change({ products })}
          query={productChoices(billing)}
          pick={({ id, name }) => ({ id, name })}
          error={errorOf('products')}
        />
      </div>
    </Panel>
  )
}
