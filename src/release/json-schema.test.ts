import assert from 'node:assert/strict';
import test from 'node:test';
import { undescribedFields } from '../../test/support/undescribed-fields.ts';
import { jsonSchemaFor } from '../documents/json-schema.ts';
import { sourcePolicyKind } from './check-policy.ts';
import { releaseKind } from './check-release.ts';
import { lockKind } from './lock-document.ts';
import { loadMatrix } from './matrix.ts';

for (const kind of [releaseKind(await loadMatrix()), sourcePolicyKind, lockKind]) {
  test(`the JSON Schema of ${kind.kind} describes every field and refuses others`, () => {
    const schema = jsonSchemaFor(kind);

    assert.equal(schema.title, kind.kind);
    assert.equal(schema.$schema, 'http://json-schema.org/draft-07/schema#');
    assert.equal(schema.additionalProperties, false);
    assert.deepEqual(undescribedFields(schema), []);
  });
}
