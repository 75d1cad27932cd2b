import { PageHead } from '../parts/page-head.tsx'

export const TokensPage = () => <PageHead title="Tokens" />
