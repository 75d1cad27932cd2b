/** What tests read with another library than HarfBuzz. */
declare module 'fontkit' {
  export function create(bytes: Uint8Array): {
    readonly numGlyphs: number
    getGlyph(id: number): {
      readonly advanceWidth: number
      /** The bounds of the outline, control points included. */
      readonly path: { readonly cbox: { minX: number; minY: number; maxX: number; maxY: number } }
    }
  }
}
