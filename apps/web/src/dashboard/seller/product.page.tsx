import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { Product } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall } from '../parts/api-command.ts'
import { Copyable } from '../parts/copy.tsx'
import { useDraft } from '../parts/draft.ts'
import { Editor } from '../parts/editor.tsx'
import { MetadataEditor } from '../parts/metadata-editor.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Picker } from '../parts/picker.tsx'
import { answerOf } from '../queries/answer.ts'
import { itemQuery, listQuery } from '../queries/billing.ts'
import { texts } from '../texts.ts'
import { BackTo, Detail } from './detail.tsx'
import { customFieldChoices } from './lists.ts'
import { bodyOf, changesOf, draftOf, intervals, newProduct } from './product-draft.ts'
import { MediasPanel } from './product-medias.tsx'
import { ProductPreview } from './product-preview.tsx'
import { PricesPanel } from './product-prices.tsx'
import { productsSearchIn } from './products.search.ts'
import { productsWords, productWords as words } from './products.texts.ts'

const route = getRouteApi('/dashboard/$slug/products/$productId')

/** The editor of a product; `new` in the address makes one. */
export function ProductPage() {
  const { billing, slug } = useSeller()
  const { productId } = route.useParams()
  const { list = {}, trail = [] } = useLocation({ select: ({ state }) => state })
  const back = (
    <Link
      to="/dashboard/$slug/products"
      params={{ slug }}
      search={productsSearchIn(list)}
      state={{ trail }}
      className="back"
    >
      <BackTo list={productsWords.title} />
    </Link>
  )
  if (productId === 'new') return <ProductEditor key="new" back={back} />
  const query = itemQuery(['product', productId], (options) => billing.getProduct({ id: productId }, options))
  return (
    <Detail query={query} back={back} words={words}>
      {(product) => <ProductEditor key={product.id} product={product} back={back} />}
    </Detail>
  )
}

function ProductEditor({ product, back }: { product?: Product; back: ReactNode }) {
  const { billing, slug, may, queries } = useSeller()
  const navigate = useNavigate()
  const { draft, isChanged, change, settle } = useDraft(() => (product ? draftOf(product) : newProduct()))
  const mayWrite = may('product', 'write')
  const isNew = product === undefined

  async function save(): Promise<string> {
    const saved = await answerOf(
      product
        ? billing.updateProduct({ id: product.id, ...changesOf(draft, product) })
        : billing.createProduct(bodyOf(draft)),
    )
    queries.setQueryData(['billing', 'product', saved.id], saved)
    if (product) settle(draftOf(saved))
    else
      void navigate({
        to: '/dashboard/$slug/products/$productId',
        params: { slug, productId: saved.id },
        ignoreBlocker: true,
      })
    return product ? words.saved(saved.name) : words.created(saved.name)
  }

  return (
    <>
      <PageHead
        title={product?.name ?? words.newTitle}
        above={back}
        actions={product ? <ProductActions product={product} mayWrite={mayWrite} /> : null}
      />
      {product?.isArchived ? (
        <div className="notice" data-tone="warn">
          {words.archive.notice}
        </div>
      ) : null}
      <Editor
        submit={isNew ? words.create : texts.form.save}
        isChanged={isChanged}
        mayWrite={mayWrite}
        save={save}
        aside={<ProductPreview draft={draft} />}
      >
        {(errorOf) => (
          <>
            <Panel title={words.details}>
              <div className="panel-fields">
                <TextInput
                  label={words.name}
                  description={words.nameHint}
                  autoComplete="off"
                  maxLength={256}
                  value={draft.name}
                  error={errorOf('name')}
                  onChange={(event) => change({ name: event.currentTarget.value })}
                />
                <Textarea
                  label={words.description}
                  rows={4}
                  maxLength={10_000}
                  value={draft.description}
                  error={errorOf('description')}
                  onChange={(event) => change({ description: event.currentTarget.value })}
                />
                {isNew ? (
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
              </div>
            </Panel>
            <PricesPanel draft={draft} change={change} errorOf={errorOf} isNew={isNew} />
            <MediasPanel draft={draft} change={change} errorOf={errorOf} mayWrite={mayWrite} />
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
            <Panel title={texts.metadata.title}>
              <div className="panel-fields">
                <MetadataEditor
                  entries={draft.metadata}
                  onChange={(metadata) => change({ metadata })}
                  errorOf={errorOf}
                />
              </div>
            </Panel>
          </>
        )}
      </Editor>
    </>
  )
}

/** Archives a product, having said who keeps it; or sells it again, which takes nothing from anybody. */
function ProductActions({ product, mayWrite }: { product: Product; mayWrite: boolean }) {
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
      <ApiCallButton
        calls={{
          [productsWords.calls.get]: apiCall('getProduct', { id }),
          [productsWords.calls.update]: apiCall('updateProduct', { id, name }),
        }}
      />
      {mayWrite ? (
        isArchived ? (
          <Button variant="default" onClick={() => restore.mutate()} aria-disabled={restore.isPending || undefined}>
            {words.archive.restore}
          </Button>
        ) : (
          <Button variant="default" onClick={asking.open}>
            {words.archive.archive}
          </Button>
        )
      ) : null}
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
