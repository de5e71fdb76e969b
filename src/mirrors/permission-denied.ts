/** Why a path cannot be read or written, where only the right to do so is missing; the system's words for it. */
export const PERMISSION_DENIED = 'permission denied';
