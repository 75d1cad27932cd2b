import { PageHead } from '../parts/page-head.tsx'

export const ProductsPage = () => <PageHead title="Products" />
