import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Product } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { ActionDialog } from '../../parts/action-dialog.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { Copyable } from '../../parts/copy.tsx'
import type { Fields } from '../../parts/draft.ts'
import { EditorPage } from '../../parts/editor-page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Picker } from '../../parts/picker.tsx'
import { answerOf } from '../../queries/answer.ts'
import { listQuery } from '../../queries/billing.ts'
import { customFieldChoices } from '../lists/lists.ts'
import { PriceChangeButton, PriceChanges } from './price-changes.tsx'
import { bodyOf, changesOf, draftOf, intervals, newProduct, type ProductDraft } from './product-draft.ts'
import { FeaturesPanel } from './product-features.tsx'
import { CopyLinkButton, TryButton } from './product-link.tsx'
import { MediasPanel } from './product-medias.tsx'
import { ProductPreview } from './product-preview.tsx'
import { PricesPanel } from './product-prices.tsx'
import { TrialPanel } from './product-trial.tsx'
import { products } from './products.resource.ts'
import { productsWords, productWords as words } from './products.texts.ts'

const route = getRouteApi('/dashboard/$slug/products/$productId')

/** The editor of a product; `new` in the address creates one. */
export function ProductPage() {
  const { billing, slug, may, maySell } = useSeller()
  const { productId } = route.useParams()
  const navigate = useNavigate()
  const mayWrite = may('product', 'write')
  const back = (
    <BackLink to="/dashboard/$slug/products" params={{ slug }} {...useWayBack(products.searchIn)}>
      {productsWords.title}
    </BackLink>
  )
  return (
    <EditorPage
      id={productId}
      kind="product"
      read={billing.getProduct}
      words={words}
      back={back}
      mayWrite={mayWrite}
      nameOf={({ name }) => name}
      calls={({ id, name }) => ({
        [productsWords.calls.get]: apiCall('getProduct', { id }),
        [productsWords.calls.update]: apiCall('updateProduct', { id, name }),
      })}
      newDraft={newProduct}
      draftOf={draftOf}
      save={(draft, product) =>
        product
          ? billing.updateProduct({ id: product.id, ...changesOf(draft, product) })
          : billing.createProduct(bodyOf(draft))
      }
      onCreated={(id) =>
        navigate({ to: '/dashboard/$slug/products/$productId', params: { slug, productId: id }, ignoreBlocker: true })
      }
      actions={(product) =>
        mayWrite ? (
          <>
            {maySell && !product.isArchived ? (
              <>
                <TryButton product={product} />
                <CopyLinkButton product={product} />
              </>
            ) : null}
            <PriceChangeButton product={product} />
            <ArchiveButton product={product} />
          </>
        ) : null
      }
      notice={(product) => (
        <>
          {product.isArchived ? (
            <div className="notice" data-tone="warn">
              {words.archive.notice}
            </div>
          ) : null}
          <PriceChanges product={product} />
        </>
      )}
      aside={(draft) => <ProductPreview draft={draft} />}
    >
      {(fields, product) => (
        <>
          <Details {...fields} product={product} />
          <PricesPanel {...fields} isNew={product === undefined} />
          <TrialPanel {...fields} />
          <FeaturesPanel {...fields} />
          <MediasPanel {...fields} mayWrite={mayWrite} />
          <AskedPanel {...fields} />
        </>
      )}
    </EditorPage>
  )
}

type PartProps = Fields<ProductDraft>

function Details({ draft, change, errorOf, input, product }: PartProps & { product: Product | undefined }) {
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
        <Textarea label={words.description} rows={4} maxLength={10_000} {...input('description')} />
        {product === undefined ? (
          <NativeSelect
            label={words.interval}
            description={words.intervalHint}
            data={intervals.map((value) => ({ value, label: words.intervals[value] }))}
            value={draft.interval}
            error={errorOf('recurring_interval')}
            onChange={(event) => {
              const interval = intervals.find((each) => each === event.currentTarget.value) ?? 'month'
              change({ interval, ...(interval === 'one_time' && draft.kind === 'none' && { kind: 'fixed' }) })
            }}
          />
        ) : (
          <dl className="facts flush">
            <dt>{words.interval}</dt>
            <dd>{words.intervals[draft.interval]}</dd>
            <dt>{words.id}</dt>
            <dd>
              <Copyable text={product.id} what={words.id} />
            </dd>
          </dl>
        )}
        <Checkbox label={words.isTaxExempt} {...input('isTaxExempt', { type: 'checkbox' })} />
      </div>
    </Panel>
  )
}

/** Custom fields for buyers. */
function AskedPanel({ draft, change, errorOf }: PartProps) {
  const { billing, slug } = useSeller()
  return (
    <Panel title={words.fields.title}>
      <div className="panel-fields">
        <Picker
          label={words.fields.label}
          none={words.fields.none}
          chosen={draft.fields}
          onChange={(fields) => change({ fields })}
          query={customFieldChoices(billing)}
          pick={({ id, name }) => ({ id, name, required: false })}
          isOrdered
          error={errorOf('attached_custom_fields')}
        >
          {({ id, name, required }) => (
            <Checkbox
              label={words.fields.requiredLabel}
              aria-label={`${words.fields.requiredLabel}: ${words.fields.required(name)}`}
              checked={required}
              onChange={(event) => {
                const { checked } = event.currentTarget
                change({
                  fields: draft.fields.map((each) => (each.id === id ? { ...each, required: checked } : each)),
                })
              }}
            />
          )}
        </Picker>
        <p className="quiet">
          <Link to="/dashboard/$slug/custom-fields/$fieldId" params={{ slug, fieldId: 'new' }} className="link">
            {words.fields.toFields}
          </Link>
        </p>
      </div>
    </Panel>
  )
}

/** Archives a product, having said who keeps it; or sells it again, which takes nothing from anybody. */
function ArchiveButton({ product }: { product: Product }) {
  const { billing, queries } = useSeller()
  const [isAsking, asking] = useDisclosure()
  const { id, name, isArchived } = product
  const set = (archived: boolean) => answerOf(billing.updateProduct({ id, isArchived: archived }))
  const restore = useMutation({
    mutationFn: () => set(false),
    onSuccess: () => {
      notifications.show({ message: words.archive.restored(name) })
      return queries.invalidateQueries({ queryKey: ['billing'] })
    },
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
  })
  return (
    <>
      {isArchived ? (
        <Button variant="default" onClick={() => restore.mutate()} aria-disabled={restore.isPending || undefined}>
          {words.archive.restore}
        </Button>
      ) : (
        <Button variant="default" onClick={asking.open}>
          {words.archive.archive}
        </Button>
      )}
      <ActionDialog
        opened={isAsking}
        onClose={asking.close}
        title={words.archive.title(name)}
        text={words.archive.text}
        submit={words.archive.archive}
        run={async () => {
          await set(true)
          return words.archive.done(name)
        }}
      >
        {() => <Subscribers productId={id} />}
      </ActionDialog>
    </>
  )
}

/** How many renew at the price that they have. */
function Subscribers({ productId }: { productId: string }) {
  const { billing, slug, may } = useSeller()
  const query = { productId: [productId], active: true, limit: 1 }
  const { data } = useQuery({
    ...listQuery(['subscriptions', query], (options) => billing.listSubscriptions(query, options)),
    enabled: may('subscription', 'read'),
  })
  const count = data?.pagination.totalCount
  if (count === undefined) return null
  if (count === 0) return <p className="quiet">{words.archive.noSubscribers}</p>
  return (
    <p className="quiet">
      {words.archive.subscribers(count)}{' '}
      <Link
        to="/dashboard/$slug/subscriptions"
        params={{ slug }}
        search={{ product: productId, stage: 'running' }}
        className="link"
      >
        {words.archive.see}
      </Link>
    </p>
  )
}
