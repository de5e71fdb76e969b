/** What can go wrong with changing a node as one step, and with taking it back. */
import { defineError } from '../../shared/errors.ts';
import { atRoot } from '../at-root.ts';

/** Another run changes the same node. */
export const MirrorNodeBusy = defineError<{
  root: string;
  lockFile: string;
  pid: number;
  host: string;
  /** False if that run is on another machine or in another container, where it cannot be seen. */
  isVisible: boolean;
  /** ISO 8601. */
  since: string;
}>({
  code: 'MIRROR_NODE_BUSY',
  category: 'local',
  message: ({ pid, host, root, since }) =>
    `process ${pid} on ${host} has been changing the mirror rules below ${root} since ${since}; nothing was changed`,
  fix: ({ pid, host, isVisible, lockFile }) =>
    isVisible
      ? `Wait until process ${pid} has ended, or end it; then run again. The lock of an ended process is taken over.`
      : `Look on ${host} whether process ${pid} still runs. If it does not: rm ${lockFile}`,
  retry: true,
});

/** Nothing was changed on this node, or all of it was taken back already. */
export const MirrorNothingToUndo = defineError<{ root: string }>({
  code: 'MIRROR_NOTHING_TO_UNDO',
  category: 'usage',
  message: ({ root }) => `nothing that Slipway changed below ${root} can be taken back`,
  fix: ({ root }) =>
    `Only the last change of a node can be taken back, and only once. To remove all rules: slipway mirrors remove --all${atRoot(root)}`,
  retry: false,
});

/** A change failed midway, and so did taking it back: the node is between two states. */
export const MirrorChangeHalfDone = defineError<{ root: string; failed: string; then: string }>({
  code: 'MIRROR_CHANGE_HALF_DONE',
  category: 'local',
  message: ({ root, failed, then }) =>
    `the files below ${root} are between two states: ${failed}; and taking back what was done failed too: ${then}`,
  fix: ({ root }) =>
    `Remove the cause (df -h shows full disks, mount those that are read-only), then run: slipway mirrors apply --undo${atRoot(root)}. Nothing is lost: what the files were lies in ${root === '/' ? '' : root}/var/lib/slipway/mirrors.`,
  retry: true,
});

/** Somebody changed files since; taking the last change back would lose that. */
export const MirrorEditedSince = defineError<{ root: string; files: readonly string[] }>({
  code: 'MIRROR_EDITED_SINCE',
  category: 'refused',
  message: ({ files }) =>
    `somebody changed ${files.join(', ')} since Slipway did; nothing was taken back`,
  fix: ({ root }) =>
    `To take the change back all the same, with a copy of what was edited in ${root === '/' ? '' : root}/var/lib/slipway/mirrors: slipway mirrors apply --undo --replace${atRoot(root)}`,
  retry: false,
});

/** What Slipway remembers of a node is not what it wrote, or not for this user to read. */
export const MirrorRecordBroken = defineError<{
  file: string;
  fault: 'is damaged' | 'cannot be read';
}>({
  code: 'MIRROR_RECORD_BROKEN',
  category: 'refused',
  categoryOf: ({ fault }) => (fault === 'cannot be read' ? 'denied' : 'refused'),
  message: ({ file, fault }) =>
    `${file} ${fault}, so nobody knows what Slipway changed on this node`,
  fix: ({ fault }) =>
    fault === 'cannot be read'
      ? 'Run it as root, or as the user who may read that file below the root that was given.'
      : 'Compare the node with what it shall be (slipway mirrors diff, with the same --root), remove the folder /var/lib/slipway/mirrors of the node, and run again.',
  retry: false,
});
