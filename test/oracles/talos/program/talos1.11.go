//go:build talos1.11

package main

import (
	"github.com/siderolabs/talos/pkg/machinery/config"
	machine "github.com/siderolabs/talos/pkg/machinery/config/config"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
	"github.com/siderolabs/talos/pkg/machinery/resources/cri"
)

type validator interface {
	Validate(validation.RuntimeMode, ...validation.Option) ([]string, error)
}

// As the controller RegistriesConfigController puts them together.
func registriesOf(provider config.Provider) machine.Registries {
	all := &cri.RegistriesConfigSpec{
		RegistryMirrors: map[string]*cri.RegistryMirrorConfig{},
		RegistryConfig:  map[string]*cri.RegistryConfig{},
	}
	raw := provider.RawV1Alpha1()
	if raw == nil || raw.MachineConfig == nil {
		return all
	}
	for name, mirror := range raw.MachineConfig.MachineRegistries.RegistryMirrors {
		found := &cri.RegistryMirrorConfig{MirrorSkipFallback: mirror.MirrorSkipFallback}
		for _, endpoint := range mirror.MirrorEndpoints {
			found.MirrorEndpoints = append(found.MirrorEndpoints, cri.RegistryEndpointConfig{
				EndpointEndpoint:     endpoint,
				EndpointOverridePath: mirror.MirrorOverridePath != nil && *mirror.MirrorOverridePath,
			})
		}
		all.RegistryMirrors[name] = found
	}
	for name, host := range raw.MachineConfig.MachineRegistries.RegistryConfig {
		all.RegistryConfig[name] = &cri.RegistryConfig{
			RegistryTLS:  (*cri.RegistryTLSConfig)(host.RegistryTLS),
			RegistryAuth: (*cri.RegistryAuthConfig)(host.RegistryAuth),
		}
	}
	return all
}
