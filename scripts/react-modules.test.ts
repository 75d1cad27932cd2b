import { expect, test } from 'vitest'
import { asModule } from './react-modules.ts'

test('CommonJS of the kind that React is becomes a module of the same', () => {
  const code = `"use strict";
var React = require("react"),
  Other = require("react-dom");
exports.now = void 0;
if (React.fast) { exports.now = function () { return 1 } }
exports.later = function () { return exports.now() + Other.x };
`

  expect(asModule(code, ['log'])).toBe(`import * as React from "react"
import * as Other from "react-dom"
"use strict";

var export_now = void 0;
if (React.fast) { export_now = function () { return 1 } }
var export_later = function () { return export_now() + Other.x };

export { export_now as now }
export { export_later as later }
export const log = undefined`)
})

test.each([
  ['requires later', 'function f() {\n  return require("react")\n}\n'],
  ['exports where it may not come by', 'if (x) {\n  exports.one = 1\n}\n'],
  ['exports everything at once', 'module.exports = 1\n'],
  ['exports by a computed name', 'exports["one"] = 1\n'],
])('%s is refused', (_, code) => {
  expect(() => asModule(code)).toThrow('not the CommonJS')
})
