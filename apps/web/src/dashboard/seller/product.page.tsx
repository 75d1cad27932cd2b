import { PageHead } from '../parts/page-head.tsx'

export const ProductPage = () => <PageHead title="Product" />
