# Joins the node's cgroups, then becomes the node's namespaces: node-launch.sh NAMESPACE CGROUPS DIR TOOLS
set -eu
namespace=$1 cgroups=$2 dir=$3 tools=$4
for group in $cgroups; do echo $$ >"$group/cgroup.procs"; done
exec nsenter --net="/run/netns/$namespace" \
  unshare --mount --uts --ipc --cgroup --pid --fork --kill-child --propagation private \
  bash "$(dirname "$0")/node-init.sh" "$dir" "$tools"
