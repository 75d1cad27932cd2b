/**
 * Builds apps/web/dist unless it is the build of exactly these sources. Answers whether it had to; rejects when the
 * build fails. `force` builds in any case.
 */
export declare function buildWebIfChanged(options?: { force?: boolean }): Promise<boolean>
