import assert from 'node:assert/strict';
import test from 'node:test';
import { readDocuments } from '../documents/read-documents.ts';
import { readAsset } from '../shared/assets.ts';
import { siteKind } from './check-site.ts';

test('the starter site.yaml is right, as it is and with its examples switched on', async () => {
  const text = await readAsset('data/starter/site.yaml');
  const everything = text.replaceAll(/^( +)# (?=( *)[a-z][A-Za-z]*:( |$))/gm, '$1');

  const [site] = readDocuments(text, 'site.yaml', [siteKind]);
  const [full] = readDocuments(everything, 'site.yaml', [siteKind]);

  assert.equal(site?.value.spec.mode, 'offline');
  assert.equal(full?.value.spec.registries['main']?.seenFrom?.nodes, '10.0.0.5:11443');
  assert.deepEqual(full?.value.spec.allow, ['ntp.example.com:123']);
});
